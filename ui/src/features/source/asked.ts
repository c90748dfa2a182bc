/** What the source is to show, asked from anywhere; counted, so that the same can be asked for again. */
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** The text of the selected step. */
export const sourceAsked = createStore(0);

/** A line, from 1. */
export const lineAsked = createStore<{ line: number; count: number } | null>(null);

/** Opens the source at a line, and puts the cursor there. */
export function showLine(line: number): void {
  openDrawer(null);
  setPlace({ view: "source", editing: false });
  lineAsked.set({ line, count: (lineAsked.get()?.count ?? 0) + 1 });
}
