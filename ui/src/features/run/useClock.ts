/** The time since a step started and since its last output, updated between progress events. */
import { useEffect, useRef, useState } from "react";
import type { StepProgress } from "../../api/bindings";

export interface Clock {
  elapsedMs: number;
  quietMs: number;
}

/** @param isTicking whether the clock runs; false while the run waits and after it has ended */
export function useClock(progress: StepProgress | null | undefined, isTicking: boolean): Clock {
  const received = useRef({ progress, at: performance.now() });
  if (received.current.progress !== progress) {
    received.current = { progress, at: performance.now() };
  }
  const [, tick] = useState(0);

  useEffect(() => {
    if (!isTicking || !progress) return;
    const timer = window.setInterval(() => tick((count) => count + 1), 200);
    return () => window.clearInterval(timer);
  }, [isTicking, progress]);

  const since = isTicking && progress ? performance.now() - received.current.at : 0;
  return {
    elapsedMs: (progress?.elapsed_ms ?? 0) + since,
    quietMs: (progress?.quiet_ms ?? 0) + since,
  };
}
