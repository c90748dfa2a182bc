/** Where the window stands: workspace, plan, screen, panel, selected task. One small store; what it holds is kept by the backend, so that a killed window comes back to the same place. */
import type { Place as KeptPlace } from "../api/bindings";
import { createStore, useStore } from "../lib/store";

/** Every part is there; what the backend did not keep is what it is in `nowhere`. */
export type Place = Required<KeptPlace>;

export type Screen = "first" | "plan" | "talk" | "inbox" | "insights" | "templates" | "settings";

export const nowhere: Place = {
  workspace: null,
  plan: null,
  screen: "first",
  view: null,
  panel: null,
  task: null,
  top: null,
  run: null,
  talk: null,
  editing: false,
};

const saveAfterMs = 120;
const store = createStore<Place>(nowhere);
let save: ((place: Place) => void) | null = null;
let timer = 0;

/** Sets the place that the backend remembered and starts keeping changes through `keep`. */
export function restorePlace(place: KeptPlace, keep: (place: Place) => void): void {
  store.set({ ...nowhere, ...place });
  save = keep;
}

/** Writes what is still waiting to be written; for the moment before the window goes. */
export function flushPlace(): void {
  if (!timer) return;
  window.clearTimeout(timer);
  timer = 0;
  save?.(store.get());
}

export function getPlace(): Place {
  return store.get();
}

export function setPlace(change: Partial<Place>): void {
  const now = store.get();
  const next = { ...now, ...change };
  const same = (Object.keys(next) as (keyof Place)[]).every((key) => next[key] === now[key]);
  if (same) return;
  store.set(next);
  window.clearTimeout(timer);
  timer = window.setTimeout(flushPlace, saveAfterMs);
}

export function usePlace(): Place {
  return useStore(store);
}

/** The screen to draw: a plan's screen without a plan is the first screen. */
export function screenOf(place: Place): Screen {
  switch (place.screen) {
    case "inbox":
    case "insights":
    case "templates":
    case "settings":
      return place.screen;
    case "plan":
      return place.plan ? "plan" : "first";
    case "talk":
      return place.talk ? "talk" : "first";
    default:
      return "first";
  }
}

export function goTo(screen: Screen): void {
  setPlace({ screen });
}

/** Opens a plan. Selection, scroll and run belong to one plan, so another plan starts without them. */
export function openPlan(plan: string, extra: Partial<Place> = {}): void {
  const fresh =
    getPlace().plan === plan ? {} : { task: null, top: null, run: null, editing: false };
  setPlace({ ...fresh, plan, screen: "plan", ...extra });
}

/** Opens a conversation whose plan is not written yet. */
export function openTalk(talk: string): void {
  setPlace({ talk, plan: null, screen: "talk" });
}

/** Opens a workspace on its first screen. */
export function openWorkspace(workspace: string, plan: string | null = null): void {
  setPlace({ ...nowhere, workspace, plan, screen: plan ? "plan" : "first" });
}
