/** Resolves conflicts one by one and shows the result, with undo. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConflictChoice, PlanConflict } from "../../api/bindings";
import { keys } from "../../api/keys";
import { useResolveConflict } from "../../api/mutations";
import { writeClipboard } from "../../lib/clipboard";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { useSend } from "../outline/useSend";

const { resolved } = words.conflicts;

export interface ConflictResolver {
  isBusy: boolean;
  /** Id of the conflict whose lines changed again before it was resolved. */
  changedAgain: number | null;
  resolve: (conflict: PlanConflict, choice: ConflictChoice) => void;
}

export function useResolve(plan: string): ConflictResolver {
  const cache = useQueryClient();
  const command = useResolveConflict();
  const { offerUndo } = useSend(plan);
  const [changedAgain, setChangedAgain] = useState<number | null>(null);

  const resolve = (conflict: PlanConflict, choice: ConflictChoice) => {
    if (command.isPending) return;
    command.mutate(
      { plan, id: conflict.id, choice },
      {
        onSuccess: (outcome) => {
          void cache.invalidateQueries({ queryKey: keys.conflicts(plan) });
          void cache.invalidateQueries({ queryKey: keys.outline(plan) });
          if (outcome.outcome === "conflict") {
            setChangedAgain(conflict.id);
            return;
          }
          setChangedAgain(null);
          const where = conflict.task ?? conflict.title;
          if (outcome.outcome === "written") {
            offerUndo(
              choice === "both" ? resolved.both(where) : resolved.mine[conflict.mine_by](where),
              outcome.revision,
            );
          } else {
            // The file didn't change, so there is nothing to undo: offer the discarded lines instead.
            offerLines(resolved.theirs(where), conflict);
          }
        },
      },
    );
  };
  return { isBusy: command.isPending, changedAgain, resolve };
}

/** A toast that offers to copy the discarded lines. */
function offerLines(title: string, { mine: lines, mine_by }: PlanConflict): void {
  showToast({
    tone: "good",
    title,
    action: {
      label: resolved.copyMine[mine_by],
      run: () =>
        void writeClipboard(lines).catch(() =>
          showToast({ tone: "bad", title: resolved.notCopied, message: lines }),
        ),
    },
  });
}
