/** Whether the expansion is open. Anything may open it; nothing is written before its own button is pressed. */
import { createStore } from "../../lib/store";

/** Of the plan on screen. */
export const expansionOpen = createStore(false);

export const expandKeys = "p e";

export function openExpansion(): void {
  expansionOpen.set(true);
}

export function closeExpansion(): void {
  expansionOpen.set(false);
}

/** Whether growing the plan is the first thing to offer. */
export function isWeak(badge: { word: string }): boolean {
  return ["empty", "outline", "thin"].includes(badge.word);
}
