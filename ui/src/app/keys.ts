/** The one registry of actions. It feeds the key handler, the palette and the `?` sheet, so that no action is without a key and a palette entry. A feature registers its actions while it is on screen: `useActions(useMemo(() => [...], [...]))`. */
import { useLayoutEffect } from "react";
import { strokeOf } from "../lib/keyText";
import { createStore } from "../lib/store";

/** In the order in which they are listed. */
export const groups = ["Plan", "Step", "Edit", "Run", "Go to", "Window"] as const;
export type ActionGroup = (typeof groups)[number];

export interface Action {
  /** Stable, `feature.verb`: `outline.add`. */
  id: string;
  /** What it does, as the palette lists it. */
  title: string;
  group: ActionGroup;
  /** `mod` is Ctrl or ⌘; strokes of a chord are divided by a space: `mod+Enter`, `g i`, `?`. */
  keys: string;
  /** Whether it can be done now; left out: always. */
  when?: () => boolean;
  /** Also heard while the person types in a field. Never for anything that approves or runs. */
  inFields?: boolean;
  /** Also heard while a dialog is open. */
  inDialogs?: boolean;
  /** Whether the focus is among what it acts on: it is heard before others with the same keys. */
  isNear?: () => boolean;
  run: () => void;
}

/** What is registered now, in the order of registration. The last one of an id wins. */
export const actions = createStore<Action[]>([]);

export function registerActions(added: Action[]): () => void {
  actions.set([...actions.get(), ...added]);
  return () => actions.set(actions.get().filter((action) => !added.includes(action)));
}

/** Registers actions while the component is mounted, before what they act on is painted: what can be seen can be done. Pass a memoised list. */
export function useActions(added: Action[]): void {
  useLayoutEffect(() => registerActions(added), [added]);
}

/** The actions that can be done now, by group: one for each id, the newest. */
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

/** The begun chord and the actions that its next stroke can reach; null when none is begun. */
export interface BegunChord {
  strokes: string;
  reach: Action[];
}

export const begunChord = createStore<BegunChord | null>(null);

/** Long enough to read what the next key can do. */
const chordMs = 5000;

/** Hears keys until the returned function is called. */
export function listenForKeys(target: Window = window): () => void {
  let begun = "";
  /** When the last stroke of the chord was typed, by the event's own time. */
  let begunAt = 0;
  let timer = 0;

  const forget = () => {
    begun = "";
    target.clearTimeout(timer);
    begunChord.set(null);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (["Control", "Meta", "Shift", "Alt"].includes(event.key)) return;
    // What counts is when the keys were typed, not when a busy page came to hear of them: a chord
    // cut in two would act as its last key alone.
    if (begun && event.timeStamp - begunAt > chordMs) forget();
    if (begun && event.key === "Escape") {
      event.preventDefault();
      forget();
      return;
    }
    const inField = isField(event.target);
    const inDialog = isDialogOpen();
    const heard = availableActions().filter(
      (action) => (!inField || action.inFields) && (!inDialog || action.inDialogs),
    );
    const stroke = strokeOf(event).toLowerCase();
    const typed = begun ? `${begun} ${stroke}` : stroke;
    const fitting = heard.filter((action) => action.keys.toLowerCase() === typed);
    // What acts on what has the focus, then what needs no focus; what is far away comes last.
    const exact =
      fitting.find((action) => action.isNear?.()) ??
      fitting.findLast((action) => !action.isNear) ??
      fitting.at(-1);
    forget();
    if (exact) {
      event.preventDefault();
      exact.run();
      return;
    }
    const reach = heard.filter((action) => action.keys.toLowerCase().startsWith(`${typed} `));
    if (reach.length > 0) {
      begun = typed;
      begunAt = event.timeStamp;
      // Only what is shown ends with the timer; it may fire while a key still waits to be heard.
      timer = target.setTimeout(() => begunChord.set(null), chordMs);
      begunChord.set({ strokes: typed, reach });
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
