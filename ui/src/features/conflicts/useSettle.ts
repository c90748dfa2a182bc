/** Settles conflicts one by one, and says what came of it with the way back. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConflictChoice, PlanConflict } from "../../api/bindings";
import { keys } from "../../api/keys";
import { useResolveConflict } from "../../api/mutations";
import { writeClipboard } from "../../lib/clipboard";
import { showToast } from "../../lib/toast";
import { useSend } from "../outline/useSend";

export interface Settle {
  isBusy: boolean;
  /** The conflict whose lines were changed again while it was being settled. */
  late: number | null;
  settle: (conflict: PlanConflict, choice: ConflictChoice) => void;
}

export function useSettle(plan: string): Settle {
  const cache = useQueryClient();
  const resolve = useResolveConflict();
  const { offerUndo } = useSend(plan);
  const [late, setLate] = useState<number | null>(null);

  const settle = (conflict: PlanConflict, choice: ConflictChoice) => {
    if (resolve.isPending) return;
    resolve.mutate(
      { plan, id: conflict.id, choice },
      {
        onSuccess: (outcome) => {
          void cache.invalidateQueries({ queryKey: keys.conflicts(plan) });
          void cache.invalidateQueries({ queryKey: keys.outline(plan) });
          if (outcome.outcome === "conflict") {
            setLate(conflict.id);
            return;
          }
          setLate(null);
          const where = conflict.task ?? conflict.title;
          if (outcome.outcome === "written") {
            offerUndo(
              choice === "both" ? `Both are in ${where} now` : `Yours is in ${where} again`,
              outcome.revision,
            );
          } else {
            // The file was not touched, so there is no edit to take back: the other side is handed out.
            offerLines(`${where} stays as the file has it`, conflict.mine);
          }
        },
      },
    );
  };
  return { isBusy: resolve.isPending, late, settle };
}

/** A message with the lines that were not taken, to be put elsewhere. */
function offerLines(title: string, lines: string): void {
  showToast({
    tone: "good",
    title,
    action: {
      label: "Copy mine",
      run: () =>
        void writeClipboard(lines).catch(() =>
          showToast({ tone: "bad", title: "Your lines were not copied", message: lines }),
        ),
    },
  });
}
