/** The registry of actions, used by the key handler, the palette and the `?` sheet, so that every action has a key and a palette entry. A feature registers its actions while it is on screen: `useActions(useMemo(() => [...], [...]))`. */
import { useLayoutEffect } from "react";
import { strokeOf } from "../lib/keyText";
import { createStore } from "../lib/store";

/** The groups of actions, in listing order. Their headings are in `words.app.groups`. */
export const groups = ["plan", "step", "edit", "run", "go", "window"] as const;
export type ActionGroup = (typeof groups)[number];

export interface Action {
  /** A stable id, `feature.verb`: `outline.add`. */
  id: string;
  /** Its title in the palette. */
  title: string;
  group: ActionGroup;
  /** `mod` is Ctrl or ⌘; a space separates the strokes of a chord: `mod+Enter`, `g i`, `?`. */
  keys: string;
  /** Whether it is available. If omitted, it always is. */
  when?: () => boolean;
  /** Whether it also works in text fields; never set for actions that approve or run. */
  inFields?: boolean;
  /** Whether it also works while a dialog is open. */
  inDialogs?: boolean;
  /** Whether its target has focus. It then takes precedence over other actions with the same keys. */
  isNear?: () => boolean;
  run: () => void;
}

/** The registered actions, in order of registration. If several have the same id, the last one wins. */
export const actions = createStore<Action[]>([]);

export function registerActions(added: Action[]): () => void {
  actions.set([...actions.get(), ...added]);
  return () => actions.set(actions.get().filter((action) => !added.includes(action)));
}

/** Registers actions while the component is mounted, before its first paint. Pass a memoized list. */
export function useActions(added: Action[]): void {
  useLayoutEffect(() => registerActions(added), [added]);
}

/** The available actions by group, the newest of each id. */
export function availableActions(list: Action[] = actions.get()): Action[] {
  const byId = new Map<string, Action>();
  for (const action of list) byId.set(action.id, action);
  return [...byId.values()]
    .filter((action) => action.when?.() ?? true)
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return (
    target instanceof HTMLInputElement &&
    !["button", "checkbox", "radio", "submit", "range", "color"].includes(target.type)
  );
}

export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** A chord that was started, and the actions its next stroke can reach. */
export interface StartedChord {
  strokes: string;
  actions: Action[];
}

export const startedChord = createStore<StartedChord | null>(null);

/** Timeout of a chord: long enough to read the possible next keys. */
const chordMs = 5000;

/** Handles keys until the returned function is called. */
export function listenForKeys(target: Window = window): () => void {
  let started = "";
  /** Timestamp of the event with the chord's last stroke. */
  let startedAt = 0;
  let timer = 0;

  const forget = () => {
    started = "";
    target.clearTimeout(timer);
    startedChord.set(null);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (["Control", "Meta", "Shift", "Alt"].includes(event.key)) return;
    // Compares event times, because a busy page handles keys late. If a chord timed out too early,
    // its last key would act alone.
    if (started && event.timeStamp - startedAt > chordMs) forget();
    if (started && event.key === "Escape") {
      event.preventDefault();
      forget();
      return;
    }
    const inField = isField(event.target);
    const inDialog = isDialogOpen();
    const active = availableActions().filter(
      (action) => (!inField || action.inFields) && (!inDialog || action.inDialogs),
    );
    const stroke = strokeOf(event).toLowerCase();
    const typed = started ? `${started} ${stroke}` : stroke;
    const matching = active.filter((action) => action.keys.toLowerCase() === typed);
    // First an action on the focused element, then one that needs no focus, then any other.
    const exact =
      matching.find((action) => action.isNear?.()) ??
      matching.findLast((action) => !action.isNear) ??
      matching.at(-1);
    forget();
    if (exact) {
      event.preventDefault();
      exact.run();
      return;
    }
    const reachable = active.filter((action) => action.keys.toLowerCase().startsWith(`${typed} `));
    if (reachable.length > 0) {
      started = typed;
      startedAt = event.timeStamp;
      // The timer only hides the hint; it may fire while a key event is still queued.
      timer = target.setTimeout(() => startedChord.set(null), chordMs);
      startedChord.set({ strokes: typed, actions: reachable });
      event.preventDefault();
    }
  };

  target.addEventListener("keydown", onKey);
  target.addEventListener("pointerdown", forget);
  return () => {
    forget();
    target.removeEventListener("keydown", onKey);
    target.removeEventListener("pointerdown", forget);
  };
}
