/** Goes to a task from anywhere: selects it, brings it into view and gives it the focus. */
import { openDrawer } from "../../app/Layout";
import { getPlace, setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** The task that was asked for last, counted so that the same one can be asked for again. */
export const taskAsked = createStore<{ task: string; count: number } | null>(null);

function askFor(task: string): void {
  taskAsked.set({ task, count: (taskAsked.get()?.count ?? 0) + 1 });
}

/** Views that show the selected task themselves. */
const followers = ["outline", "graph", "source"];

/** In the view that is open; in the outline, where that view shows no tasks. */
export function showTask(task: string): void {
  const { view } = getPlace();
  if (view && !followers.includes(view)) {
    openInOutline(task);
    return;
  }
  openDrawer(null);
  setPlace({ task, editing: false });
  askFor(task);
}

/** In the outline, whichever view is open. */
export function openInOutline(task: string): void {
  openDrawer(null);
  // Without the row that was on top: the outline opens at the task.
  setPlace({ view: "outline", task, top: null, editing: false });
  // The outline hears what is asked once it is on screen.
  requestAnimationFrame(() => askFor(task));
}
