/** Goes to a task's row from anywhere: selects it, brings it into view and gives it the focus. */
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** The task that was asked for last, counted so that the same one can be asked for again. */
export const taskAsked = createStore<{ task: string; count: number } | null>(null);

export function showTask(task: string): void {
  openDrawer(null);
  setPlace({ task, editing: false });
  taskAsked.set({ task, count: (taskAsked.get()?.count ?? 0) + 1 });
}
