/** Whether the search over all plans is open. Its code is loaded when it is. */
import { createStore } from "../../lib/store";

export const searchKeys = "mod+shift+f";

export const searchOpen = createStore(false);

export function openSearch(): void {
  searchOpen.set(true);
}

export function closeSearch(): void {
  searchOpen.set(false);
}
