/** Whether the palette or the sheet of keys is open. Their code is loaded when they are. */
import { createStore } from "../../lib/store";

export const overlay = createStore<"palette" | "keys" | null>(null);

export function openPalette(): void {
  overlay.set("palette");
}

export function openKeys(): void {
  overlay.set("keys");
}

export function closeOverlay(): void {
  overlay.set(null);
}
