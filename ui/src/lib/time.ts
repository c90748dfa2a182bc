/** Durations and times of day as the page shows them. */

/** `3.2 s`, `1 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The time of day, with the date unless it is today. */
export function when(ms: number, now: number = Date.now()): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(ms);
}
