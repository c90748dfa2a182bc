/** Opens and closes the search across all plans. Its code is loaded when it is first opened. */
import { createStore } from "../../lib/store";

export const searchKeys = "mod+shift+f";

export const searchOpen = createStore(false);

export function openSearch(): void {
  searchOpen.set(true);
}

export function closeSearch(): void {
  searchOpen.set(false);
}
