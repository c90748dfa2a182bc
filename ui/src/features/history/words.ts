/** The words of the history: who made an entry, when, and what became of a task. */
import type { HistoryEntry } from "../../api/bindings";
import type { Tone } from "../../components/Chip";

const makers: Record<string, { title: string; who: string }> = {
  person: { title: "Your edit", who: "you" },
  model: { title: "Proposal", who: "a model" },
  app: { title: "Planwright", who: "Planwright" },
  outside: { title: "Outside edit", who: "another program" },
};

/** What an outside entry's reason says anyway. */
const found = /^found on disk\.?$/i;

/** The head of an entry: why it was made, else who made it. */
export function entryTitle(entry: HistoryEntry): string {
  const maker = makers[entry.author]?.title ?? entry.author;
  const reason = entry.reason.trim();
  return reason === "" || found.test(reason) ? maker : reason;
}

/** Who made it, and what it changed in the tasks. */
export function entryLine(entry: HistoryEntry): string {
  const who = makers[entry.author]?.who ?? entry.author;
  const what = entry.summary || (entry.parent === null ? "the first version" : "no task changed");
  return `${who} · ${what}`;
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

/** `now`, `2 min`, `3 h`, `yesterday`, `5 days`, then the day. */
export function ago(ms: number, now: number): string {
  const since = now - ms;
  if (since < minute) return "now";
  if (since < hour) return `${Math.floor(since / minute)} min`;
  if (since < day) return `${Math.floor(since / hour)} h`;
  if (since < 2 * day) return "yesterday";
  if (since < 7 * day) return `${Math.floor(since / day)} days`;
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayOf : dayOfYear).format(ms);
}

export function exactTime(ms: number): string {
  return exact.format(ms);
}

const kinds: Record<string, Tone> = {
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
  return kinds[kind] ?? "plain";
}

const parts: Record<string, string> = {
  title: "Title",
  text: "Text",
  intro: "Introduction",
  goal: "Goal",
  requirements: "Requirements",
  decisions: "Decisions",
};

/** The name of a part of a plan; keys of tasks stand as they are written. */
export function partName(name: string): string {
  return parts[name] ?? name;
}
