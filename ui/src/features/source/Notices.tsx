/** Notices above the text: read-only, conflict, failed save and restored edits, with what to do about each. Nothing is chosen automatically. */
import { Button } from "@mantine/core";
import { Code } from "../../components/Code";
import { words } from "../../words";
import type { AutosaveState } from "./autosave";
import type { Side } from "./changes";
import styles from "./Source.module.css";
import type { OpenEditor } from "./useEditor";

const text = words.source.notices;

interface NoticesProps {
  editor: OpenEditor | null;
  saving?: AutosaveState;
  /** Why the text is read-only; `null` if it isn't. */
  readOnlyReason: string | null;
}

export function Notices({ editor, saving, readOnlyReason }: NoticesProps) {
  // The pressed button disappears, so focus moves to the text.
  const thenFocus = (act: (editor: OpenEditor) => void) => () => {
    if (!editor) return;
    act(editor);
    editor.view.focus();
  };
  const resolve = (side: Side) => thenFocus(({ autosave }) => void autosave.resolve(side));

  if (readOnlyReason !== null) {
    return (
      <section className={styles.notice} aria-label={text.fileLabel}>
        <p>
          <strong>{text.readOnly}</strong> {readOnlyReason}
        </p>
      </section>
    );
  }
  if (!saving) return null;
  if (saving.conflict) {
    return (
      <section className={styles.notice} data-tone="warn" role="alert">
        <p>
          <strong>{text.conflict}</strong> {text.conflictHint}
        </p>
        <div className={styles.sides}>
          <section aria-label={text.mine}>
            <p className={styles.side}>{text.mine}</p>
            <Code block lines={6} label={text.mineLabel}>
              {saving.conflict.mine || text.empty}
            </Code>
          </section>
          <section aria-label={text.theirs}>
            <p className={styles.side}>{text.theirs}</p>
            <Code block lines={6} label={text.theirsLabel}>
              {saving.conflict.theirs || text.empty}
            </Code>
          </section>
        </div>
        <div className="pw-chips pw-gap-8">
          <Button size="xs" onClick={resolve("mine")}>
            {text.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={resolve("theirs")}>
            {text.keepTheirs}
          </Button>
          <Button size="xs" variant="default" onClick={resolve("both")}>
            {text.keepBoth}
          </Button>
        </div>
      </section>
    );
  }
  if (saving.error !== null) {
    return (
      <section className={styles.notice} data-tone="bad" role="alert">
        <p>
          <strong>{text.notSaved}</strong> {saving.error} {text.notSavedHint}
        </p>
        <div className="pw-chips pw-gap-8">
          <Button
            size="xs"
            variant="default"
            onClick={thenFocus(({ autosave }) => autosave.save())}
          >
            {text.retry}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={thenFocus(({ autosave }) => autosave.discard())}
          >
            {text.discardEdits}
          </Button>
        </div>
      </section>
    );
  }
  if (saving.isRestored && !saving.isSaving) {
    return (
      <section className={styles.notice} role="status">
        <p>
          <strong>{text.restored}</strong> {text.restoredHint}
        </p>
        <div className="pw-chips pw-gap-8">
          <Button
            size="xs"
            variant="default"
            onClick={thenFocus(({ autosave }) => autosave.save())}
          >
            {text.save}
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={thenFocus(({ autosave }) => autosave.discard())}
          >
            {text.discardEdits}
          </Button>
        </div>
      </section>
    );
  }
  return null;
}
