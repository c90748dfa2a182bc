/** The run whose receipt is open, if any. */
import { createStore } from "../../lib/store";

export const receiptOf = createStore<string | null>(null);

export function openReceipt(run: string): void {
  receiptOf.set(run);
}
