/** The highlight on the canvas: the selected step and its relations. A store outside React's tree, so that only boxes and lines whose appearance changes render again. */
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { createStore, type Store } from "../../lib/store";
import type { Relation } from "./graphIndex";

export interface Highlight {
  /** The selected step. */
  chosen: string | null;
  /** The step whose relations are shown: the hovered one, or else the selected one. */
  about: string | null;
  relation: Relation | null;
  /** The steps of the cycle that a refused edit would have created. */
  cycle: string[];
  /** The selected edge. */
  line: string | null;
  /** The run's state of each step: `running`, `failed`, … */
  states: Map<string, string>;
}

export const noHighlight: Highlight = {
  chosen: null,
  about: null,
  relation: null,
  cycle: [],
  line: null,
  states: new Map(),
};

export const HighlightContext = createContext<Store<Highlight>>(createStore(noHighlight));

/** Reads a string from the highlight; the component renders again only when it changes. */
export function useHighlight(read: (highlight: Highlight) => string): string {
  const store = useContext(HighlightContext);
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => read(store.get()), [store, read]),
  );
}

/** `up` for a dependency, `down` for a dependent, empty for neither. */
export function relationTo(highlight: Highlight, id: string): "up" | "down" | "" {
  if (highlight.relation?.up.has(id)) return "up";
  return highlight.relation?.down.has(id) ? "down" : "";
}

export function lineLook(highlight: Highlight, id: string, from: string, to: string): string {
  if (highlight.line === id) return "chosen";
  const at = highlight.cycle.indexOf(to);
  // In a cycle, each step depends on the next.
  if (at >= 0 && highlight.cycle[(at + 1) % highlight.cycle.length] === from) return "circle";
  if (highlight.relation?.upEdges.has(id)) return "up";
  return highlight.relation?.downEdges.has(id) ? "down" : "plain";
}
