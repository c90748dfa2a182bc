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

/** Changes with each scroll and each key: one write for what happens in this time is enough. */
const quick: readonly (keyof Place)[] = ["task", "top"];
const quickMs = 120;

const store = createStore<Place>(nowhere);
let save: ((place: Place) => unknown) | null = null;
let timer = 0;
/** What was last given to the backend, and whether its answer is still out. */
let kept = nowhere;
let isOnItsWay = false;

/** Sets the place that the backend remembered and starts keeping changes through `keep`; where that promises something, the next change waits for it. */
export function restorePlace(place: KeptPlace, keep: (place: Place) => unknown): void {
  store.set({ ...nowhere, ...place });
  kept = store.get();
  save = keep;
}

/** Writes what is not written yet; for the moment before the window goes. */
export function flushPlace(): void {
  window.clearTimeout(timer);
  timer = 0;
  const place = store.get();
  if (!save || kept === place) return;
  kept = place;
  isOnItsWay = true;
  const goOn = () => {
    isOnItsWay = false;
    if (!timer) flushPlace();
  };
  Promise.resolve(save(place)).then(goOn, goOn);
}

/** One write at a time: the backend answers from many threads, and an older place must not come last. */
function keepAtOnce(): void {
  if (!isOnItsWay) flushPlace();
}

export function getPlace(): Place {
  return store.get();
}

export function setPlace(change: Partial<Place>): void {
  const now = store.get();
  const next = { ...now, ...change };
  const changed = (Object.keys(next) as (keyof Place)[]).filter((key) => next[key] !== now[key]);
  if (changed.length === 0) return;
  store.set(next);
  if (!changed.every((key) => quick.includes(key))) keepAtOnce();
  else if (!timer) {
    timer = window.setTimeout(() => {
      timer = 0;
      keepAtOnce();
    }, quickMs);
  }
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
