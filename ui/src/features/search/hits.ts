/** Search hits as the dialog lists them: grouped by plan, in the order in which each plan was first found. */
import type { SearchHit, WordRun } from "../../api/bindings";

/** One plan with its hits. */
export interface PlanHits {
  plan: string;
  title: string;
  path: string;
  hits: PositionedHit[];
}

/** A hit with its position in the whole list, for the arrow keys. */
export interface PositionedHit {
  at: number;
  hit: SearchHit;
}

/** Groups hits by plan; `at` counts across groups in display order. */
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
    for (const positioned of group.hits) {
      positioned.at = at;
      at += 1;
    }
  }
  return list;
}

/** Whether a piece of an excerpt matches the query. */
export function isMatch(run: WordRun): boolean {
  return run.kind !== "same";
}
