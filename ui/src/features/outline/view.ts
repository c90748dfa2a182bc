/** The folds and the filter of each plan's outline. Only the folds are stored; the plan itself is not changed. */
import { useMemo } from "react";
import type { RowFilter } from "../../api/bindings";
import { createStore, useStore } from "../../lib/store";
import { words } from "../../words";

/** The filter buttons; several together show the steps that match all of them. */
export const shownKinds = [
  { id: "mine", title: words.outline.filter.mine, hint: words.outline.filter.mineHint },
  { id: "waiting", title: words.outline.filter.open, hint: words.outline.filter.openHint },
  {
    id: "findings",
    title: words.outline.filter.withFindings,
    hint: words.outline.filter.withFindingsHint,
  },
] as const;

const nothing: RowFilter = { folded: [], only: [], words: "" };
/** Maximum number of plans whose folds are stored. */
const maxPlans = 50;
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
    .slice(-maxPlans)
    .map(([name, view]) => [name, view.folded]);
  localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(kept)));
}

/** Folds or unfolds a group. */
export function setFolded(plan: string, task: string, isFolded: boolean): void {
  const others = viewOf(plan).folded.filter((one) => one !== task);
  setView(plan, { folded: isFolded ? [...others, task] : others });
}

export interface OutlineView {
  filter: RowFilter;
  /** Whether the filter hides rows. */
  isFiltered: boolean;
  /** Whether every row is shown: no filter is set, and no group is folded. */
  isWhole: boolean;
}

export function useOutlineView(plan: string): OutlineView {
  const filter = useStore(views)[plan] ?? nothing;
  return useMemo(() => {
    const isFiltered = filter.only.length > 0 || filter.words.trim() !== "";
    return { filter, isFiltered, isWhole: !isFiltered && filter.folded.length === 0 };
  }, [filter]);
}
