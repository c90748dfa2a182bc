/** Whose receipt is shown over the plan. */
import { createStore } from "../../lib/store";

export const receiptOf = createStore<string | null>(null);

export function openReceipt(run: string): void {
  receiptOf.set(run);
}
