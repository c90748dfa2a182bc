/** Giving one answer to one question of a conversation: once, and not in the first moments, when a click was meant for what stood there before. */
import { useEffect, useRef, useState } from "react";
import type { TalkAnswer } from "../../api/bindings";
import { useSay } from "../../api/mutations";
import { deafMs } from "../run/cards/useAnswering";

export function useGiving(session: string, call: string) {
  const { mutate, isPending } = useSay();
  const [isGiven, setGiven] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return {
    isBusy: isPending || isGiven,
    give: (answer: TalkAnswer, done?: () => void) => {
      if (isSent.current || performance.now() - shownAt.current < deafMs) return;
      isSent.current = true;
      mutate(
        { session, input: { input: "answer", call, answer } },
        {
          onSuccess: () => {
            setGiven(true);
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
