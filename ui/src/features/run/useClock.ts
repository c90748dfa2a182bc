/** Time that passes between two signs of life of a run: what events told, plus how long ago they told it. */
import { useEffect, useRef, useState } from "react";
import type { StepProgress } from "../../api/bindings";

export interface Clock {
  elapsedMs: number;
  quietMs: number;
}

/** @param isTicking whether time passes: a run that waits or has ended stands still */
export function useClock(progress: StepProgress | null | undefined, isTicking: boolean): Clock {
  const toldAt = useRef({ progress, at: performance.now() });
  if (toldAt.current.progress !== progress) toldAt.current = { progress, at: performance.now() };
  const [, tick] = useState(0);

  useEffect(() => {
    if (!isTicking || !progress) return;
    const timer = window.setInterval(() => tick((count) => count + 1), 200);
    return () => window.clearInterval(timer);
  }, [isTicking, progress]);

  const since = isTicking && progress ? performance.now() - toldAt.current.at : 0;
  return {
    elapsedMs: (progress?.elapsed_ms ?? 0) + since,
    quietMs: (progress?.quiet_ms ?? 0) + since,
  };
}
