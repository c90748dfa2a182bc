/** The source editor of one plan, with its notices and status line. */
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { Outline, SourceView, TextMark } from "../../api/bindings";
import { Loading } from "../../components/States";
import { keyWords } from "../../lib/keyText";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { ConflictDialog } from "../outline/ConflictDialog";
import { useSend } from "../outline/useSend";
import { Notices } from "./Notices";
import styles from "./Source.module.css";
import { StatusLine } from "./StatusLine";
import { taskAtLine } from "./tasks";
import { type EditorHandlers, type OpenEditor, useEditor } from "./useEditor";
import { useCursorRest, useFollow, useLineRequest } from "./useSelectedTask";
import { planUndoKeys, useSourceActions } from "./useSourceActions";

const text = words.source;

const MuteDialog = lazy(() =>
  import("../findings/MuteDialog").then((found) => ({ default: found.MuteDialog })),
);

interface SourceEditorProps {
  outline: Outline;
  /** The text that the editor opens with. */
  first: SourceView;
  /** The file's latest known text. */
  now: SourceView | null;
}

export function SourceEditor({ outline, first, now }: SourceEditorProps) {
  const send = useSend(outline.plan);
  const current = useRef<OpenEditor | null>(null);
  const cursorMoved = useCursorRest(current);
  const [muting, setMuting] = useState<TextMark | null>(null);
  const lastEdit = useRef(outline.undo);
  lastEdit.current = outline.undo;

  const handlers = useMemo<EditorHandlers>(
    () => ({
      cursorMoved,
      mute: setMuting,
      undoneAll: () => {
        const edit = lastEdit.current;
        showToast({
          tone: "info",
          title: text.toasts.undoneAll,
          message: edit ? text.toasts.undoneAllMessage(edit, keyWords(planUndoKeys)) : undefined,
          action: edit ? { label: text.toasts.undo, run: () => void send.undo() } : undefined,
        });
      },
    }),
    [cursorMoved, send],
  );
  const { host, editor, saving, checked, isReady } = useEditor(outline, first, now, handlers);
  current.current = editor;
  useFollow(editor, outline, checked !== null);
  useLineRequest(editor);
  useSourceActions({ editor, outline, send });

  return (
    <div className={styles.source}>
      <h1 className="pw-sr">{text.heading(outline.title || outline.path)}</h1>
      <Notices
        editor={editor}
        saving={saving}
        readOnlyReason={first.is_writable ? null : (first.problem ?? text.notices.notWritable)}
      />
      {!isReady && <Loading lines={8} label={text.loading} />}
      <div ref={host} className={styles.editor} hidden={!isReady} />
      <StatusLine
        editor={editor}
        saving={saving}
        checked={checked}
        isWritable={first.is_writable}
      />
      <ConflictDialog />
      {muting?.finding && (
        <Suspense fallback={null}>
          <MuteDialog
            outline={outline}
            muting={{
              id: muting.finding,
              code: muting.code,
              task: editor ? taskAtLine(editor.view.state, muting.line) : null,
              message: muting.message,
            }}
            // Saves typed text first, because the finding may be about text that isn't in the file yet.
            before={() => editor?.autosave.settled() ?? Promise.resolve(outline.revision)}
            onClose={() => setMuting(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
