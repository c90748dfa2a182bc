/** Which two versions are compared. By default what the chosen entry changed: the version before it, and it. */
import type { HistoryEntry } from "../../api/bindings";

/** An entry by its number, or what the plan holds now. */
export type Side = number | "now";

export interface Chosen {
  /** The entry that is chosen in the list; `null`: the newest. */
  at: number | null;
  /** The entry that further ones are compared with. */
  marked: number | null;
  /** What was picked instead of the usual two. */
  picked: { from: Side | null; to: Side } | null;
}

export const atNewest: Chosen = { at: null, marked: null, picked: null };

/** One version as it is compared and named. */
export interface Version {
  side: Side | null;
  revision: string;
  /** Absent for a version whose entry is not loaded. */
  entry: HistoryEntry | null;
}

export interface Compared {
  /** The chosen entry; absent while there is none. */
  entry: HistoryEntry | null;
  /** Absent for the first version: before it there was nothing. */
  from: Version | null;
  to: Version | null;
}

/** The older of two first. */
function inOrder(one: Side, other: Side): { from: Side; to: Side } {
  if (one === "now") return { from: other, to: one };
  if (other === "now") return { from: one, to: other };
  return one <= other ? { from: one, to: other } : { from: other, to: one };
}

/** The entry that is chosen, as its number. */
export function chosenSeq(chosen: Chosen, entries: HistoryEntry[]): number | null {
  const isThere = entries.some((entry) => entry.seq === chosen.at);
  return isThere ? chosen.at : (entries[0]?.seq ?? null);
}

/** Goes to an entry; with a marked one, both are compared. */
export function select(chosen: Chosen, at: number): Chosen {
  const { marked } = chosen;
  return { at, marked, picked: marked === null || marked === at ? null : inOrder(marked, at) };
}

/** Compares the chosen entry with another one, which stays marked. */
export function markOther(chosen: Chosen, at: number, other: number): Chosen {
  if (other === at) return { at, marked: null, picked: null };
  return { ...chosen, at, marked: other, picked: inOrder(at, other) };
}

/** Marks the chosen entry, so that further ones are compared with it; takes the mark off again. */
export function toggleMark(chosen: Chosen, at: number): Chosen {
  return { at, marked: chosen.marked === at ? null : at, picked: null };
}

/** What has changed since the chosen entry. */
export function withNow(at: number): Chosen {
  return { at, marked: null, picked: { from: at, to: "now" } };
}

/** What the pickers were set to. */
export function pick(chosen: Chosen, at: number, from: Side | null, to: Side): Chosen {
  return {
    at: typeof to === "number" ? to : (chosen.at ?? at),
    marked: null,
    picked: { from, to },
  };
}

/** The two versions behind a choice. `now` is the plan's revision. */
export function comparedOf(chosen: Chosen, entries: HistoryEntry[], now: string): Compared {
  const entryOf = (seq: number) => entries.find((entry) => entry.seq === seq) ?? null;
  const version = (side: Side): Version | null => {
    if (side === "now") return { side, revision: now, entry: null };
    const entry = entryOf(side);
    return entry && { side, revision: entry.revision, entry };
  };
  const at = chosenSeq(chosen, entries);
  const entry = at === null ? null : entryOf(at);
  if (!entry) return { entry: null, from: null, to: null };
  const to = version(chosen.picked?.to ?? entry.seq) ?? version(entry.seq);
  const picked = chosen.picked?.from ?? null;
  if (picked !== null) return { entry, from: version(picked), to };
  return { entry, from: before(to?.entry ?? entry, entries), to };
}

/** The version before an entry: its parent, by the newest entry that had it then. */
function before(entry: HistoryEntry, entries: HistoryEntry[]): Version | null {
  if (entry.parent === null) return null;
  const parent = entries.find((other) => other.seq < entry.seq && other.revision === entry.parent);
  return { side: parent?.seq ?? null, revision: entry.parent, entry: parent ?? null };
}
