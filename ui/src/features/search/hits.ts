/** What was found, as the dialog lists it: by plan, each plan once, in the order in which it was first found. */
import type { SearchHit, WordRun } from "../../api/bindings";

/** One plan with what was found in it. */
export interface PlanHits {
  plan: string;
  title: string;
  path: string;
  hits: PlacedHit[];
}

/** A hit with its place in the whole list, for the arrow keys. */
export interface PlacedHit {
  at: number;
  hit: SearchHit;
}

/** Groups hits by plan; `at` counts through all groups as they are drawn. */
export function groupHits(hits: SearchHit[]): PlanHits[] {
  const groups = new Map<string, PlanHits>();
  for (const hit of hits) {
    const group = groups.get(hit.plan) ?? {
      plan: hit.plan,
      title: hit.title || hit.path,
      path: hit.path,
      hits: [],
    };
    group.hits.push({ at: 0, hit });
    groups.set(hit.plan, group);
  }
  const list = [...groups.values()];
  let at = 0;
  for (const group of list) {
    for (const placed of group.hits) {
      placed.at = at;
      at += 1;
    }
  }
  return list;
}

/** Whether a run of an excerpt is what was searched for. */
export function isFound(run: WordRun): boolean {
  return run.kind !== "same";
}
