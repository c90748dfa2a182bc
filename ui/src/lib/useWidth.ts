/** The window's width class, based on CSS pixels: at 200% zoom, a 1400 px window counts as 700 px. */
import { useSyncExternalStore } from "react";

export type Room = "wide" | "medium" | "narrow";

const wide = "(min-width: 1100px)";
const medium = "(min-width: 800px)";

function room(): Room {
  if (window.matchMedia(wide).matches) return "wide";
  return window.matchMedia(medium).matches ? "medium" : "narrow";
}

function subscribe(heard: () => void): () => void {
  const queries = [window.matchMedia(wide), window.matchMedia(medium)];
  for (const query of queries) query.addEventListener("change", heard);
  return () => {
    for (const query of queries) query.removeEventListener("change", heard);
  };
}

/** `wide`: three columns. `medium`: the right panel is a drawer. `narrow`: the list is a drawer too. */
export function useRoom(): Room {
  return useSyncExternalStore(subscribe, room, () => "wide");
}
