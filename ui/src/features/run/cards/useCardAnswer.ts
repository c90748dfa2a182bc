/** Sends one answer to one question. Typed text is kept as a draft until it is sent. A card ignores answers at first and while one is being sent. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { GivenAnswer, RunQuestion } from "../../../api/bindings";
import { type DraftField, useDraft } from "../../../api/drafts";
import { useAnswer } from "../../../api/mutations";

/** How long a new card ignores answers, in milliseconds: a click may have been meant for the previous card. */
export const deafMs = 500;

/** How long an answered card stays disabled if its question remains, in milliseconds. */
const disabledMs = 3000;

export interface CardAnswer {
  draft: DraftField;
  isBusy: boolean;
  /** Sends the answer, once. */
  submit: (answer: GivenAnswer) => void;
}

export function useCardAnswer(question: RunQuestion, plan: string): CardAnswer {
  const draft = useDraft(plan, `answer/${question.run}/${question.task}`);
  const answer = useAnswer();
  const [isAnswered, setAnswered] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);

  // A layout effect, because on a busy page a plain effect may run long after the card is visible.
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);

  // The question disappears when the run continues. If it is still here after a while, it was asked again.
  useEffect(() => {
    if (!isAnswered) return;
    const timer = window.setTimeout(() => {
      isSent.current = false;
      setAnswered(false);
    }, disabledMs);
    return () => window.clearTimeout(timer);
  }, [isAnswered]);

  return {
    draft,
    isBusy: answer.isPending || isAnswered,
    submit: (given) => {
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
            setAnswered(true);
            draft.drop();
          },
          onError: () => {
            isSent.current = false;
          },
        },
      );
    },
  };
}
