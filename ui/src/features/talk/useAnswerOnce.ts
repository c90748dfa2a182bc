/** Answers a question of a conversation, once. Ignores clicks at first, which may have been meant for the previous content. */
import { useEffect, useRef, useState } from "react";
import type { TalkAnswer } from "../../api/bindings";
import { useSay } from "../../api/mutations";
import { deafMs } from "../run/cards/useCardAnswer";

export function useAnswerOnce(session: string, call: string) {
  const { mutate, isPending } = useSay();
  const [isAnswered, setAnswered] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return {
    isBusy: isPending || isAnswered,
    answer: (answer: TalkAnswer, done?: () => void) => {
      if (isSent.current || performance.now() - shownAt.current < deafMs) return;
      isSent.current = true;
      mutate(
        { session, input: { input: "answer", call, answer } },
        {
          onSuccess: () => {
            setAnswered(true);
            done?.();
          },
          onError: () => {
            isSent.current = false;
          },
        },
      );
    },
  };
}
