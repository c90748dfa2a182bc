/** Which step's ways to go on are laid out. */
import { createStore } from "../../lib/store";

export const waysOpen = createStore<{ run: string; task: string } | null>(null);
