/** The two revisions to compare. The default is the selected entry and the revision before it, which shows what the entry changed. */
import type { HistoryEntry } from "../../api/bindings";

/** An entry by its number, or the current plan. */
export type Side = number | "now";

export interface Chosen {
  /** The entry selected in the list; `null` is the newest. */
  at: number | null;
  /** The entry that the selected entry is compared with. */
  marked: number | null;
  /** Two sides picked instead of the default. */
  picked: { from: Side | null; to: Side } | null;
}

export const atNewest: Chosen = { at: null, marked: null, picked: null };

/** One revision of a comparison. */
export interface Version {
  side: Side | null;
  revision: string;
  /** `null` if its entry isn't loaded. */
  entry: HistoryEntry | null;
}

export interface Compared {
  /** The selected entry; `null` if there is none. */
  entry: HistoryEntry | null;
  /** The older side; `null` if there is no revision before the first one. */
  from: Version | null;
  to: Version | null;
}

/** Puts the older side first. */
function inOrder(one: Side, other: Side): { from: Side; to: Side } {
  if (one === "now") return { from: other, to: one };
  if (other === "now") return { from: one, to: other };
  return one <= other ? { from: one, to: other } : { from: other, to: one };
}

/** The number of the selected entry. */
export function chosenSeq(chosen: Chosen, entries: HistoryEntry[]): number | null {
  const isLoaded = entries.some((entry) => entry.seq === chosen.at);
  return isLoaded ? chosen.at : (entries[0]?.seq ?? null);
}

/** Selects an entry. If one is marked, the two are compared. */
export function select(chosen: Chosen, at: number): Chosen {
  const { marked } = chosen;
  return { at, marked, picked: marked === null || marked === at ? null : inOrder(marked, at) };
}

/** Compares the selected entry with another one and marks that one. */
export function markOther(chosen: Chosen, at: number, other: number): Chosen {
  if (other === at) return { at, marked: null, picked: null };
  return { ...chosen, at, marked: other, picked: inOrder(at, other) };
}

/** Marks the selected entry, so that the next ones are compared with it, or removes the mark. */
export function toggleMark(chosen: Chosen, at: number): Chosen {
  return { at, marked: chosen.marked === at ? null : at, picked: null };
}

/** Compares the selected entry with the current plan. */
export function withNow(at: number): Chosen {
  return { at, marked: null, picked: { from: at, to: "now" } };
}

/** Compares the two sides set in the pickers. */
export function pick(chosen: Chosen, at: number, from: Side | null, to: Side): Chosen {
  return {
    at: typeof to === "number" ? to : (chosen.at ?? at),
    marked: null,
    picked: { from, to },
  };
}

/** The two revisions to compare. `now` is the plan's current revision. */
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
  return { entry, from: previous(to?.entry ?? entry, entries), to };
}

/** The revision before an entry: its parent, with the newest earlier entry of that revision. */
function previous(entry: HistoryEntry, entries: HistoryEntry[]): Version | null {
  if (entry.parent === null) return null;
  const parent = entries.find((other) => other.seq < entry.seq && other.revision === entry.parent);
  return { side: parent?.seq ?? null, revision: entry.parent, entry: parent ?? null };
}
