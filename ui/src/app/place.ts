/** The window's place: workspace, plan, screen, panel, selected step. A store whose value the backend saves, so that a killed window reopens in the same place. */
import type { Place as SavedPlace } from "../api/bindings";
import { createStore, useStore } from "../lib/store";

/** A complete place: parts that the backend didn't save are taken from `nowhere`. */
export type Place = Required<SavedPlace>;

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

/** Parts that change with every scroll and key press. Their changes are saved together. */
const frequent: readonly (keyof Place)[] = ["task", "top"];
const frequentMs = 120;

const store = createStore<Place>(nowhere);
let save: ((place: Place) => unknown) | null = null;
let timer = 0;
/** The place that was last sent to the backend; `isSaving` is true until it answers. */
let saved = nowhere;
let isSaving = false;

/** Sets the saved place and saves changes with `saver` from now on. If `saver` returns a promise, the next save waits for it. */
export function restorePlace(place: SavedPlace, saver: (place: Place) => unknown): void {
  store.set({ ...nowhere, ...place });
  saved = store.get();
  save = saver;
}

/** Saves pending changes. Also called right before the window closes. */
export function flushPlace(): void {
  window.clearTimeout(timer);
  timer = 0;
  const place = store.get();
  if (!save || saved === place) return;
  saved = place;
  isSaving = true;
  const saveNext = () => {
    isSaving = false;
    if (!timer) flushPlace();
  };
  Promise.resolve(save(place)).then(saveNext, saveNext);
}

/** Saves one place at a time. The backend has many threads, so concurrent saves could leave an older place. */
function saveNow(): void {
  if (!isSaving) flushPlace();
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
  if (!changed.every((key) => frequent.includes(key))) saveNow();
  else if (!timer) {
    timer = window.setTimeout(() => {
      timer = 0;
      saveNow();
    }, frequentMs);
  }
}

export function usePlace(): Place {
  return useStore(store);
}

/** The screen to show. Without a plan, the plan screen is the first screen. */
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

/** Opens a plan. Another plan starts without the selection, scroll position and run of the last one. */
export function openPlan(plan: string, extra: Partial<Place> = {}): void {
  const fresh =
    getPlace().plan === plan ? {} : { task: null, top: null, run: null, editing: false };
  setPlace({ ...fresh, plan, screen: "plan", ...extra });
}

/** Opens a conversation that has no plan yet. */
export function openTalk(talk: string): void {
  setPlace({ talk, plan: null, screen: "talk" });
}

/** Opens a workspace: on a plan if one is given, otherwise on its first screen. */
export function openWorkspace(workspace: string, plan: string | null = null): void {
  setPlace({ ...nowhere, workspace, plan, screen: plan ? "plan" : "first" });
}
