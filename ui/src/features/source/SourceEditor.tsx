/** One plan's text in its editor. What is typed is saved behind a pause; what others write comes in beside it. */
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { Outline, SourceView, TextMark } from "../../api/bindings";
import { Loading } from "../../components/States";
import { keyWords } from "../../lib/keyText";
import { showToast } from "../../lib/toast";
import { ConflictDialog } from "../outline/ConflictDialog";
import { useSend } from "../outline/useSend";
import { Notices } from "./Notices";
import styles from "./Source.module.css";
import { StatusLine } from "./StatusLine";
import { taskAtLine } from "./tasks";
import { type Desk, type DeskCalls, useDesk } from "./useDesk";
import { useAskedLine, useCursorRest, useFollow } from "./useSelectedTask";
import { planUndoKeys, useSourceActions } from "./useSourceActions";

const MuteDialog = lazy(() =>
  import("../findings/MuteDialog").then((found) => ({ default: found.MuteDialog })),
);

interface SourceEditorProps {
  outline: Outline;
  /** What the editor begins with. */
  first: SourceView;
  /** The newest that is known of the file. */
  now: SourceView | null;
}

export function SourceEditor({ outline, first, now }: SourceEditorProps) {
  const send = useSend(outline.plan);
  const bound = useRef<Desk | null>(null);
  const moved = useCursorRest(bound);
  const [muting, setMuting] = useState<TextMark | null>(null);
  const lastEdit = useRef(outline.undo);
  lastEdit.current = outline.undo;

  const calls = useMemo<DeskCalls>(
    () => ({
      moved,
      mute: setMuting,
      undoneAll: () => {
        const edit = lastEdit.current;
        showToast({
          tone: "info",
          title: "All that you typed here is taken back",
          message: edit ? `The plan's last edit: ${edit} (${keyWords(planUndoKeys)}).` : undefined,
          action: edit ? { label: "Take it back", run: () => void send.undo() } : undefined,
        });
      },
    }),
    [moved, send],
  );
  const { host, desk, kept, judged, isReady } = useDesk(outline, first, now, calls);
  bound.current = desk;
  useFollow(desk, outline, judged !== null);
  useAskedLine(desk);
  useSourceActions({ desk, kept, outline, send });

  return (
    <div className={styles.source}>
      <h1 className="pw-sr">{outline.title || outline.path}, as text</h1>
      <Notices
        desk={desk}
        kept={kept}
        refusal={first.is_writable ? null : (first.problem ?? "The file cannot be written.")}
      />
      {!isReady && <Loading lines={8} label="Loading the text" />}
      <div ref={host} className={styles.editor} hidden={!isReady} />
      <StatusLine desk={desk} kept={kept} judged={judged} isWritable={first.is_writable} />
      <ConflictDialog />
      {muting?.finding && (
        <Suspense fallback={null}>
          <MuteDialog
            outline={outline}
            muting={{
              id: muting.finding,
              code: muting.code,
              task: desk ? taskAtLine(desk.view.state, muting.line) : null,
              message: muting.message,
            }}
            // What is typed goes into the plan first: the finding can be one of a text that no file holds yet.
            before={() => desk?.keeper.settled() ?? Promise.resolve(outline.revision)}
            onClose={() => setMuting(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
