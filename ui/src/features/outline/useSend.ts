/** Sends edits (add, move, delete, fixes, undo) and reports conflicts. Text fields are written by features/task/useField instead. */
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
import { words } from "../../words";

/** An edit that was not written, because it conflicts with the file. */
export interface Conflict {
  /** The subject of the message, from `words.outline.edits`. */
  doing: string;
  mine: string;
  theirs: string;
}

export const conflict = createStore<Conflict | null>(null);

export interface Send {
  /** Resolves to the outcome, or to `null` if nothing was written and the user has seen why. */
  edit: (revision: string, edit: Edit, doing: string) => Promise<EditOutcome | null>;
  /** `option` is an index into the finding's fixes. */
  fix: (
    revision: string,
    finding: string,
    option: number,
    doing: string,
  ) => Promise<EditOutcome | null>;
  mute: (revision: string, finding: string, reason: string) => Promise<EditOutcome | null>;
  unmute: (revision: string, finding: string) => Promise<EditOutcome | null>;
  /** Applies the chosen changes of an expansion as one edit. */
  expand: (revision: string, chosen: string[]) => Promise<EditOutcome | null>;
  /** Answers the open question. */
  answer: (question: string, option: number) => Promise<EditOutcome | null>;
  undo: () => Promise<EditOutcome | null>;
  redo: () => Promise<EditOutcome | null>;
  /** A toast with an Undo button that works while this edit is the latest. */
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
    const { edits, edited } = words.outline;
    const handle = async (pending: Promise<EditOutcome>, doing: string) => {
      let outcome: EditOutcome;
      try {
        outcome = await pending;
      } catch {
        // The error is shown by api/cache.ts.
        return null;
      }
      if (outcome.outcome !== "conflict") return outcome;
      conflict.set({ doing, mine: outcome.mine, theirs: outcome.theirs });
      return null;
    };
    const undoLast = () => handle(undo(plan), edits.undo);
    return {
      edit: (revision, made, doing) => handle(edit({ plan, revision, edit: made }), doing),
      fix: (revision, finding, option, doing) =>
        handle(fix({ plan, revision, finding, option }), doing),
      mute: (revision, finding, reason) =>
        handle(mute({ plan, revision, finding, reason }), edits.mute),
      unmute: (revision, finding) => handle(unmute({ plan, revision, finding }), edits.unmute),
      expand: (revision, chosen) => handle(expand({ plan, revision, chosen }), edits.expand),
      answer: (id, option) => handle(answer({ id, option }), edits.answer),
      undo: undoLast,
      redo: () => handle(redo(plan), edits.redo),
      offerUndo: (title, revision) =>
        showToast({
          tone: "good",
          title,
          action: {
            label: edited.undo,
            run: () => {
              const now = cache.getQueryData<Outline>(keys.outline(plan));
              if (now && now.revision !== revision) {
                showToast({
                  tone: "info",
                  title: edited.notLatestTitle,
                  message: now.undo ? edited.notLatestMessage(now.undo) : edited.nothingToUndo,
                });
                return;
              }
              void undoLast();
            },
          },
        }),
    };
  }, [cache, plan, edit, fix, mute, unmute, expand, answer, undo, redo]);
}
