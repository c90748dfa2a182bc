/** What stands out on the canvas: the chosen step and what belongs to it. Kept beside React's tree, so that only the boxes and lines whose look changes are drawn again. */
import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { createStore, type Store } from "../../lib/store";
import type { Relation } from "./ways";

export interface Lit {
  /** The selected step. */
  chosen: string | null;
  /** The step that is pointed at or selected: whose relation is shown. */
  about: string | null;
  relation: Relation | null;
  /** The steps of a circle that was refused. */
  circle: string[];
  /** The selected line. */
  line: string | null;
  /** What the run says about steps: `running`, `failed`, … */
  states: Map<string, string>;
}

export const unlit: Lit = {
  chosen: null,
  about: null,
  relation: null,
  circle: [],
  line: null,
  states: new Map(),
};

export const LitContext = createContext<Store<Lit>>(createStore(unlit));

/** Reads one short value; the caller is drawn again only when that one changes. */
export function useLit(read: (lit: Lit) => string): string {
  const store = useContext(LitContext);
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => read(store.get()), [store, read]),
  );
}

/** `up`: it is waited for. `down`: it waits. Empty: neither. */
export function relationTo(lit: Lit, id: string): "up" | "down" | "" {
  if (lit.relation?.up.has(id)) return "up";
  return lit.relation?.down.has(id) ? "down" : "";
}

export function lineLook(lit: Lit, id: string, from: string, to: string): string {
  if (lit.line === id) return "chosen";
  const at = lit.circle.indexOf(to);
  // The circle is told in the order of waiting: each waits for the next.
  if (at >= 0 && lit.circle[(at + 1) % lit.circle.length] === from) return "circle";
  if (lit.relation?.upEdges.has(id)) return "up";
  return lit.relation?.downEdges.has(id) ? "down" : "plain";
}
