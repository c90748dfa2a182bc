/** Whether the conflicts of the open plan are shown. Their dialog is loaded when they are. */
import { createStore } from "../../lib/store";

export const conflictsOpen = createStore(false);

export function openConflicts(): void {
  conflictsOpen.set(true);
}

export function closeConflicts(): void {
  conflictsOpen.set(false);
}
