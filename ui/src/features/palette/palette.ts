/** Whether the palette or the keyboard shortcuts are open. Their code is loaded on first use. */
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
