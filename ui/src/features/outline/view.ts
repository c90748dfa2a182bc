/** What of a plan's outline is folded away or filtered out, for each plan; kept in this window's storage. Changes nothing of the plan. */
import { useMemo } from "react";
import type { RowFilter } from "../../api/bindings";
import { createStore, useStore } from "../../lib/store";

/** What can be asked for; several together show what fits all of them. */
export const shownKinds = [
  { id: "mine", title: "Mine", hint: "Steps that a person carries out" },
  { id: "waiting", title: "Open", hint: "Steps that are neither done nor left out" },
  { id: "findings", title: "With findings", hint: "Steps that something was found about" },
] as const;

const nothing: RowFilter = { folded: [], only: [], words: "" };
/** Plans whose folds are remembered. */
const mostPlans = 50;
const storageKey = "planwright.outline";

type Views = Record<string, RowFilter>;

const views = createStore<Views>(stored());

function stored(): Views {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    const folds = Object.entries(found as Record<string, unknown>).filter(
      (entry): entry is [string, string[]] => Array.isArray(entry[1]),
    );
    return Object.fromEntries(
      folds.map(([plan, folded]) => [plan, { ...nothing, folded: folded.map(String) }]),
    );
  } catch {
    return {};
  }
}

export function viewOf(plan: string): RowFilter {
  return views.get()[plan] ?? nothing;
}

export function setView(plan: string, change: Partial<RowFilter>): void {
  const { [plan]: before, ...others } = views.get();
  const next = { ...(before ?? nothing), ...change };
  views.set({ ...others, [plan]: next });
  if (!change.folded) return;
  const kept = Object.entries(views.get())
    .filter(([, view]) => view.folded.length > 0)
    .slice(-mostPlans)
    .map(([name, view]) => [name, view.folded]);
  localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(kept)));
}

/** Folds a group away, or opens it again. */
export function setFolded(plan: string, task: string, isFolded: boolean): void {
  const others = viewOf(plan).folded.filter((one) => one !== task);
  setView(plan, { folded: isFolded ? [...others, task] : others });
}

export interface OutlineView {
  filter: RowFilter;
  /** Whether words or kinds leave rows out. */
  isFiltered: boolean;
  /** Whether every row is shown. */
  isWhole: boolean;
}

export function useOutlineView(plan: string): OutlineView {
  const filter = useStore(views)[plan] ?? nothing;
  return useMemo(() => {
    const isFiltered = filter.only.length > 0 || filter.words.trim() !== "";
    return { filter, isFiltered, isWhole: !isFiltered && filter.folded.length === 0 };
  }, [filter]);
}
