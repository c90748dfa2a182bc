/** Opens the History at a revision, from anywhere. */
import { openPlan } from "../../app/place";
import { createStore } from "../../lib/store";

/** The revision to show. Requests are counted, so that the same revision can be requested again. */
export const versionRequest = createStore<{ plan: string; revision: string; count: number } | null>(
  null,
);

export function showVersion(plan: string, revision: string): void {
  openPlan(plan, { view: "history" });
  versionRequest.set({ plan, revision, count: (versionRequest.get()?.count ?? 0) + 1 });
}
