/** The request to undo changes. `UndoDialog` asks for confirmation and shows the result. */
import { createStore } from "../../lib/store";

export interface UndoRequest {
  run: string;
  /** One step; null for the whole run. */
  task: string | null;
  /** One file; null for all. */
  path: string | null;
}

export const undoRequest = createStore<UndoRequest | null>(null);

export function askUndo(what: UndoRequest): void {
  undoRequest.set(what);
}
