/** Text for history entries and changes: titles, authors, times, and the names of parts. */
import type { HistoryEntry } from "../../api/bindings";
import type { Tone } from "../../components/Chip";
import { words } from "../../words";

const text = words.history;

/** The reason recorded for every external edit, which says no more than the author. */
const foundOnDisk = /^found on disk\.?$/i;

/** Why an entry was made, or else who made it. */
export function entryTitle(entry: HistoryEntry): string {
  const reason = entry.reason.trim();
  return reason === "" || foundOnDisk.test(reason)
    ? (text.entryTitles[entry.author] ?? entry.author)
    : reason;
}

/** The author of an entry, and its changes to the steps. */
export function entryLine(entry: HistoryEntry): string {
  const { summary, firstRevision, noStepsChanged } = text.entries;
  return summary(
    text.authors[entry.author] ?? entry.author,
    entry.summary || (entry.parent === null ? firstRevision : noStepsChanged),
  );
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dayOf = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** `now`, `2 min ago`, `3 h ago`, `yesterday`, `5 days ago`, then the date. */
export function ago(ms: number, now: number): string {
  const since = now - ms;
  if (since < minute) return text.time.now;
  if (since < hour) return text.time.minutesAgo(Math.floor(since / minute));
  if (since < day) return text.time.hoursAgo(Math.floor(since / hour));
  if (since < 2 * day) return text.time.yesterday;
  if (since < 7 * day) return text.time.daysAgo(Math.floor(since / day));
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayOf : dayOfYear).format(ms);
}

export function exactTime(ms: number): string {
  return exact.format(ms);
}

const kindTones: Record<string, Tone> = {
  added: "good",
  done: "good",
  removed: "bad",
  reworded: "warn",
  reopened: "warn",
  changed: "warn",
  moved: "accent",
  skipped: "plain",
};

export function kindTone(kind: string): Tone {
  return kindTones[kind] ?? "plain";
}

/** The name of a part of a plan; keys of steps are shown as written. */
export function partName(name: string): string {
  return text.changes.parts[name] ?? name;
}
