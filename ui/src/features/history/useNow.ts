/** The current time, updated twice a minute, for times such as `2 min ago`. */
import { useEffect, useState } from "react";

const updateMs = 30_000;

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), updateMs);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
