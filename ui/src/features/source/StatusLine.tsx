/** Below the text: what it would be as a plan while it is typed, whether it is in the file, and the tools of the view. */

import { openSearchPanel } from "@codemirror/search";
import { IconArrowsDiagonal, IconArrowsDiagonalMinimize2, IconSearch } from "@tabler/icons-react";
import { IconButton } from "../../components/IconButton";
import { badgeWord, Shield } from "../../components/Shield";
import type { Kept } from "./keeper";
import { goToMark } from "./marks";
import styles from "./Source.module.css";
import { foldTasks, unfoldTasks } from "./tasks";
import type { Desk, Judged } from "./useDesk";

interface StatusLineProps {
  desk: Desk | null;
  kept: Kept;
  judged: Judged | null;
  isWritable: boolean;
}

export function StatusLine({ desk, kept, judged, isWritable }: StatusLineProps) {
  const badge = judged?.badge;
  return (
    <section className={styles.status} aria-label="About the text">
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
              disabled={judged.marks === 0}
              title="Go to the next mark (F8)"
              onClick={() => desk && goToMark(desk.view)}
            >
              {judged.marks === 1 ? "1 mark" : `${judged.marks} marks`}
            </button>
            <span aria-hidden>·</span>
          </>
        )}
        {judged?.problem && (
          <>
            <span title={judged.problem}>not checked: {judged.problem}</span>
            <span aria-hidden>·</span>
          </>
        )}
        <span data-dirty={kept.isDirty || undefined} className={styles.saved}>
          {savedWord(kept, isWritable)}
        </span>
      </div>
      <div className={styles.tools}>
        <IconButton
          label="Find"
          keys="mod+f"
          size={24}
          onClick={() => desk && openSearchPanel(desk.view)}
        >
          <IconSearch size={14} />
        </IconButton>
        <IconButton
          label="Fold all steps"
          keys="mod+alt+["
          size={24}
          onClick={() => desk && foldTasks(desk.view)}
        >
          <IconArrowsDiagonalMinimize2 size={14} />
        </IconButton>
        <IconButton
          label="Unfold all steps"
          keys="mod+alt+]"
          size={24}
          onClick={() => desk && unfoldTasks(desk.view)}
        >
          <IconArrowsDiagonal size={14} />
        </IconButton>
      </div>
    </section>
  );
}

function savedWord(kept: Kept, isWritable: boolean): string {
  if (!isWritable) return "read only";
  if (kept.isSaving) return "saving";
  if (kept.clash) return "unsaved: changed elsewhere too";
  return kept.isDirty ? "unsaved" : "saved";
}
