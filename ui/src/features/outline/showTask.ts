/** Goes to a step from anywhere: selects it, scrolls to it and focuses it. */
import { openDrawer } from "../../app/Layout";
import { getPlace, setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** The step requested last, with a count, so that the same step can be requested again. */
export const taskAsked = createStore<{ task: string; count: number } | null>(null);

function request(task: string): void {
  taskAsked.set({ task, count: (taskAsked.get()?.count ?? 0) + 1 });
}

/** Views that follow the selection. */
const followers = ["outline", "graph", "source"];

/** Shows a step in the open view if that shows steps, otherwise in the outline. */
export function showTask(task: string): void {
  const { view } = getPlace();
  if (view && !followers.includes(view)) {
    openInOutline(task);
    return;
  }
  openDrawer(null);
  setPlace({ task, editing: false });
  request(task);
}

/** Shows a step in the outline, whatever view is open. */
export function openInOutline(task: string): void {
  openDrawer(null);
  // Clears the remembered scroll position, so that the outline opens at the step.
  setPlace({ view: "outline", task, top: null, editing: false });
  // The outline handles requests only once it is mounted.
  requestAnimationFrame(() => request(task));
}
