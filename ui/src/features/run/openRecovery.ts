/** The step whose recovery options are open, if any. */
import { createStore } from "../../lib/store";

export const openRecovery = createStore<{ run: string; task: string } | null>(null);
