/** Whether the expansion dialog is open. Opening it writes nothing. */
import { createStore } from "../../lib/store";

/** Whether the dialog is open, for the plan on screen. */
export const expansionOpen = createStore(false);

export const expandKeys = "p e";

export function openExpansion(): void {
  expansionOpen.set(true);
}

export function closeExpansion(): void {
  expansionOpen.set(false);
}

/** Whether expanding is the most useful action for the plan. */
export function isWeak(badge: { word: string }): boolean {
  return ["empty", "outline", "thin"].includes(badge.word);
}
