/** A file that can't be read as a plan, shown as read-only text with the reason. If there is no text to show, `children` are rendered instead. */
import type { EditorView } from "@codemirror/view";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useSource } from "../../api/queries";
import { Loading } from "../../components/States";
import { words } from "../../words";
import { openEditor, putText } from "./editor";
import { Notices } from "./Notices";
import styles from "./Source.module.css";

const noop = () => undefined;
const noCompletions = {
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
  const hasText = text !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once; changes are applied below
  useLayoutEffect(() => {
    if (!host.current || text === undefined) return;
    const opened = openEditor(
      host.current,
      text,
      {
        isWritable: false,
        completions: noCompletions,
        typed: noop,
        changed: noop,
        moved: noop,
        blurred: noop,
        undoneAll: noop,
      },
      null,
    );
    setView(opened);
    return () => {
      opened.destroy();
      setView(null);
    };
  }, [hasText]);

  useLayoutEffect(() => {
    if (view && text !== undefined) putText(view, text, "outside");
  }, [view, text]);

  if (source.isError) return children;
  if (!hasText) return <Loading lines={8} label={words.source.loading} />;
  return (
    <div className={styles.source}>
      <h1 className="pw-sr">{words.source.unreadableHeading}</h1>
      <Notices
        editor={null}
        readOnlyReason={source.data?.problem ?? words.source.notices.notWritable}
      />
      <div ref={host} className={styles.editor} />
    </div>
  );
}
