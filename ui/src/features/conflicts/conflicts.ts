/** Whether the conflicts dialog of the open plan is open. */
import { createStore } from "../../lib/store";

export const conflictsOpen = createStore(false);

export function openConflicts(): void {
  conflictsOpen.set(true);
}

export function closeConflicts(): void {
  conflictsOpen.set(false);
}
