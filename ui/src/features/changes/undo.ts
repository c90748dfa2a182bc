/** Which changes are about to be taken back. The question and what came of it are drawn beside the plan. */
import { createStore } from "../../lib/store";

export interface UndoAsked {
  run: string;
  /** One step; without it the whole run. */
  task: string | null;
  /** One file; without it all of them. */
  path: string | null;
}

export const undoAsked = createStore<UndoAsked | null>(null);

export function askUndo(what: UndoAsked): void {
  undoAsked.set(what);
}
