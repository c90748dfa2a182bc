/** Which version the History is to show, asked from anywhere; counted, so that the same one can be asked for again. */
import { openPlan } from "../../app/place";
import { createStore } from "../../lib/store";

export const versionAsked = createStore<{ plan: string; revision: string; count: number } | null>(
  null,
);

/** Opens a plan's History at a version. */
export function showVersion(plan: string, revision: string): void {
  openPlan(plan, { view: "history" });
  versionAsked.set({ plan, revision, count: (versionAsked.get()?.count ?? 0) + 1 });
}
