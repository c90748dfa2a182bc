/** Requests to show a place in the source, from anywhere. They are counted, so that the same place can be requested again. */
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** Counts the requests to show the lines of the selected step. */
export const stepRequest = createStore(0);

/** The last request to show a line; lines are counted from 1. */
export const lineRequest = createStore<{ line: number; count: number } | null>(null);

/** Opens the source with the cursor on a line. */
export function showLine(line: number): void {
  openDrawer(null);
  setPlace({ view: "source", editing: false });
  lineRequest.set({ line, count: (lineRequest.get()?.count ?? 0) + 1 });
}
