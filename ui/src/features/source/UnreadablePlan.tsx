/** A file that cannot be a plan, shown as far as it is text, with the reason. What cannot even be read is left to `children`. */

import type { EditorView } from "@codemirror/view";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useSource } from "../../api/queries";
import { Loading } from "../../components/States";
import { openEditor, putText } from "./editor";
import { Notices } from "./Notices";
import styles from "./Source.module.css";

const nothing = () => undefined;
const nobody = {
  files: async () => [],
  tasks: async () => [],
  commands: async () => [],
  requirements: () => [],
};

interface UnreadablePlanProps {
  plan: string;
  children: ReactNode;
}

export default function UnreadablePlan({ plan, children }: UnreadablePlanProps) {
  const source = useSource(plan, null);
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const text = source.data?.text;
  const isThere = text !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once; what changes is put in below
  useLayoutEffect(() => {
    if (!host.current || text === undefined) return;
    const opened = openEditor(
      host.current,
      text,
      {
        isWritable: false,
        knowledge: nobody,
        typed: nothing,
        changed: nothing,
        moved: nothing,
        blurred: nothing,
        undoneAll: nothing,
      },
      null,
    );
    setView(opened);
    return () => {
      opened.destroy();
      setView(null);
    };
  }, [isThere]);

  useLayoutEffect(() => {
    if (view && text !== undefined) putText(view, text, "outside");
  }, [view, text]);

  if (source.isError) return children;
  if (!isThere) return <Loading lines={8} label="Loading the text" />;
  return (
    <div className={styles.source}>
      <h1 className="pw-sr">A file that is no plan, as text</h1>
      <Notices desk={null} refusal={source.data?.problem ?? "The file cannot be written."} />
      <div ref={host} className={styles.editor} />
    </div>
  );
}
