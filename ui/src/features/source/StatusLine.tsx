/** The status line of the editor: the badge and problems of the text as typed, whether it is saved, and buttons to find and fold. */
import { openSearchPanel } from "@codemirror/search";
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconSearch } from "@tabler/icons-react";
import { IconButton } from "../../components/IconButton";
import { badgeWord, Shield } from "../../components/Shield";
import { words } from "../../words";
import type { AutosaveState } from "./autosave";
import { goToMark } from "./marks";
import styles from "./Source.module.css";
import { foldTasks, unfoldTasks } from "./tasks";
import type { CheckResult, OpenEditor } from "./useEditor";

const text = words.source.status;

interface StatusLineProps {
  editor: OpenEditor | null;
  saving: AutosaveState;
  checked: CheckResult | null;
  isWritable: boolean;
}

export function StatusLine({ editor, saving, checked, isWritable }: StatusLineProps) {
  const badge = checked?.badge;
  return (
    <section className={styles.status} aria-label={text.label}>
      <div className={styles.facts}>
        {badge && (
          <>
            <Shield badge={badge} size={14} />
            <span>
              {badgeWord(badge.word)} · {badge.score}
            </span>
            <span aria-hidden>·</span>
            <button
              type="button"
              className={styles.fact}
              disabled={checked.marks === 0}
              title={text.problemsHint}
              onClick={() => editor && goToMark(editor.view)}
            >
              {text.problems(checked.marks)}
            </button>
            <span aria-hidden>·</span>
          </>
        )}
        {checked?.problem && (
          <>
            <span title={checked.problem}>{text.notChecked(checked.problem)}</span>
            <span aria-hidden>·</span>
          </>
        )}
        <span data-dirty={saving.isDirty || undefined} className={styles.saved}>
          {savedWord(saving, isWritable)}
        </span>
      </div>
      <div className={styles.tools}>
        <IconButton
          label={text.find}
          keys="mod+f"
          size={24}
          onClick={() => editor && openSearchPanel(editor.view)}
        >
          <IconSearch size={14} />
        </IconButton>
        <IconButton
          label={text.foldSteps}
          keys="mod+alt+["
          size={24}
          onClick={() => editor && foldTasks(editor.view)}
        >
          <IconArrowsDiagonalMinimize2 size={14} />
        </IconButton>
        <IconButton
          label={text.unfoldSteps}
          keys="mod+alt+]"
          size={24}
          onClick={() => editor && unfoldTasks(editor.view)}
        >
          <IconArrowsDiagonal size={14} />
        </IconButton>
      </div>
    </section>
  );
}

function savedWord(saving: AutosaveState, isWritable: boolean): string {
  if (!isWritable) return text.readOnly;
  if (saving.isSaving) return text.saving;
  if (saving.conflict) return text.conflict;
  return saving.isDirty ? text.unsaved : text.saved;
}
