/** The effort that plans are made with. Kept for as long as the window is open. */
import { createStore } from "../../lib/store";
import type { EffortId } from "./words";

export const chosenEffort = createStore<EffortId>("auto");
