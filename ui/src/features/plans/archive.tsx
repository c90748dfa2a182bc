/** Archived plans, in a folded group at the end of the list, from which they can be restored. */
import { type ReactNode, useCallback, useMemo } from "react";
import type { PlanSummary } from "../../api/bindings";
import { useArchivePlan } from "../../api/mutations";
import { type Action, useActions } from "../../app/keys";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import styles from "./PlanList.module.css";

const texts = words.plans.archive;

type Named = Pick<PlanSummary, "plan" | "title" | "path" | "is_archived">;

/** Archives a plan or, if it is archived, restores it; either can be undone. */
export function useToggleArchived(): (plan: Named) => void {
  const { mutate } = useArchivePlan();
  return useCallback(
    ({ plan, title, path, is_archived }: Named) => {
      const archived = !is_archived;
      const name = title || path;
      mutate(
        { plan, archived },
        {
          onSuccess: () =>
            showToast({
              tone: "good",
              title: archived ? texts.archived(name) : texts.restored(name),
              action: { label: texts.undo, run: () => mutate({ plan, archived: !archived }) },
            }),
        },
      );
    },
    [mutate],
  );
}

/** The shortcut that archives or restores the open plan. */
export function useArchiveKey(plan: Named | undefined): void {
  const toggle = useToggleArchived();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "plans.archive",
          title: plan?.is_archived ? texts.restorePlan : texts.archivePlan,
          group: "plan",
          keys: "p z",
          when: () => plan !== undefined,
          run: () => plan && toggle(plan),
        },
      ],
      [plan, toggle],
    ),
  );
}

/** The group of archived plans; folded unless it contains the open plan. */
export function ArchivedGroup({
  count,
  isOpen,
  children,
}: {
  count: number;
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <details className={styles.group} open={isOpen}>
      <summary className={styles.groupName}>
        <bdi>{texts.group}</bdi>
        <span>{count}</span>
      </summary>
      {children}
    </details>
  );
}
