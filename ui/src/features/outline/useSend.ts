/** Sends whole edits (add, move, delete, fixes, undo) and tells what came of them. Fields have their own way: see features/task/useField. */
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Edit, EditOutcome, Outline } from "../../api/bindings";
import { keys } from "../../api/keys";
import { useApplyFix, useEdit, useRedoEdit, useUndoEdit } from "../../api/mutations";
import { createStore } from "../../lib/store";
import { showToast } from "../../lib/toast";

/** An edit that somebody else's change stands against; nothing was written. */
export interface Conflict {
  doing: string;
  mine: string;
  theirs: string;
}

export const conflict = createStore<Conflict | null>(null);

export interface Send {
  /** Resolves to the outcome when it is in the file; to `null` when it is not, which has been told. */
  edit: (revision: string, edit: Edit, doing: string) => Promise<EditOutcome | null>;
  fix: (revision: string, finding: string, doing: string) => Promise<EditOutcome | null>;
  undo: () => Promise<EditOutcome | null>;
  redo: () => Promise<EditOutcome | null>;
  /** A message with one click to take the edit back, as long as it is the last one. */
  offerUndo: (title: string, revision: string) => void;
}

export function useSend(plan: string): Send {
  const cache = useQueryClient();
  const { mutateAsync: edit } = useEdit();
  const { mutateAsync: fix } = useApplyFix();
  const { mutateAsync: undo } = useUndoEdit();
  const { mutateAsync: redo } = useRedoEdit();
  return useMemo(() => {
    const settle = async (asked: Promise<EditOutcome>, doing: string) => {
      let outcome: EditOutcome;
      try {
        outcome = await asked;
      } catch {
        // Told by the cache: see api/cache.ts.
        return null;
      }
      if (outcome.outcome !== "conflict") return outcome;
      conflict.set({ doing, mine: outcome.mine, theirs: outcome.theirs });
      return null;
    };
    const takeBack = () => settle(undo(plan), "Taking the last edit back");
    return {
      edit: (revision, made, doing) => settle(edit({ plan, revision, edit: made }), doing),
      fix: (revision, finding, doing) => settle(fix({ plan, revision, finding }), doing),
      undo: takeBack,
      redo: () => settle(redo(plan), "Making the edit again"),
      offerUndo: (title, revision) =>
        showToast({
          tone: "good",
          title,
          action: {
            label: "Undo",
            run: () => {
              const now = cache.getQueryData<Outline>(keys.outline(plan));
              if (now && now.revision !== revision) {
                showToast({
                  tone: "info",
                  title: "The plan was edited since",
                  message: now.undo
                    ? `Undo takes back the last edit first: ${now.undo}.`
                    : "There is nothing to take back any more.",
                });
                return;
              }
              void takeBack();
            },
          },
        }),
    };
  }, [cache, plan, edit, fix, undo, redo]);
}
