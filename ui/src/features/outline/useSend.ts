/** Sends whole edits (add, move, delete, fixes, undo) and tells what came of them. Fields have their own way: see features/task/useField. */
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Edit, EditOutcome, Outline } from "../../api/bindings";
import { keys } from "../../api/keys";
import {
  useAnswerQuestion,
  useApplyExpansion,
  useApplyFix,
  useEdit,
  useMute,
  useRedoEdit,
  useUndoEdit,
  useUnmute,
} from "../../api/mutations";
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
  /** `option` counts the finding's fixes from 0. */
  fix: (
    revision: string,
    finding: string,
    option: number,
    doing: string,
  ) => Promise<EditOutcome | null>;
  mute: (revision: string, finding: string, reason: string) => Promise<EditOutcome | null>;
  unmute: (revision: string, finding: string) => Promise<EditOutcome | null>;
  /** The chosen changes of an expansion, as one edit. */
  expand: (revision: string, chosen: string[]) => Promise<EditOutcome | null>;
  /** One answer of the open question. */
  answer: (question: string, option: number) => Promise<EditOutcome | null>;
  undo: () => Promise<EditOutcome | null>;
  redo: () => Promise<EditOutcome | null>;
  /** A message with one click to take the edit back, as long as it is the last one. */
  offerUndo: (title: string, revision: string) => void;
}

export function useSend(plan: string): Send {
  const cache = useQueryClient();
  const { mutateAsync: edit } = useEdit();
  const { mutateAsync: fix } = useApplyFix();
  const { mutateAsync: mute } = useMute();
  const { mutateAsync: unmute } = useUnmute();
  const { mutateAsync: expand } = useApplyExpansion();
  const { mutateAsync: answer } = useAnswerQuestion();
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
      fix: (revision, finding, option, doing) =>
        settle(fix({ plan, revision, finding, option }), doing),
      mute: (revision, finding, reason) =>
        settle(mute({ plan, revision, finding, reason }), "Muting the finding"),
      unmute: (revision, finding) =>
        settle(unmute({ plan, revision, finding }), "Hearing of the finding again"),
      expand: (revision, chosen) =>
        settle(expand({ plan, revision, chosen }), "Adding the changes to the plan"),
      answer: (id, option) => settle(answer({ id, option }), "Answering the question"),
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
  }, [cache, plan, edit, fix, mute, unmute, expand, answer, undo, redo]);
}
