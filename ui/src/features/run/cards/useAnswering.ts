/** Giving one answer to one question: the words typed are kept as a draft until they are given, and a card that has just come up, or whose answer is on its way, takes none. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { GivenAnswer, RunQuestion } from "../../../api/bindings";
import { type DraftField, useDraft } from "../../../api/drafts";
import { useAnswer } from "../../../api/mutations";

/** How long a new card does not listen, in milliseconds: a click meant for the card before it answers nothing. */
export const deafMs = 500;

/** How long an answered card stays quiet when the question does not go away. */
const quietMs = 3000;

export interface Answering {
  words: DraftField;
  isBusy: boolean;
  /** Gives the answer, once. */
  give: (answer: GivenAnswer) => void;
}

export function useAnswering(question: RunQuestion, plan: string): Answering {
  const words = useDraft(plan, `answer/${question.run}/${question.task}`);
  const answer = useAnswer();
  const [isGiven, setGiven] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);

  // With the card itself: on a busy page an effect may come long after it can be seen.
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);

  // The question goes when the run goes on; if it is still here after that, it was asked anew.
  useEffect(() => {
    if (!isGiven) return;
    const timer = window.setTimeout(() => {
      isSent.current = false;
      setGiven(false);
    }, quietMs);
    return () => window.clearTimeout(timer);
  }, [isGiven]);

  return {
    words,
    isBusy: answer.isPending || isGiven,
    give: (given) => {
      if (isSent.current || performance.now() - shownAt.current < deafMs) return;
      isSent.current = true;
      answer.mutate(
        {
          run: question.run,
          task: question.task,
          kind: question.kind,
          fingerprint: question.fingerprint,
          answer: given,
        },
        {
          onSuccess: () => {
            setGiven(true);
            words.drop();
          },
          onError: () => {
            isSent.current = false;
          },
        },
      );
    },
  };
}
