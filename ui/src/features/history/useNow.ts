/** The time, for words such as "2 min": asked anew twice a minute. */
import { useEffect, useState } from "react";

const everyMs = 30_000;

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
