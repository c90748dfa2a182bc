/** The one registry of actions. It feeds the key handler, the palette and the `?` sheet, so that no action is without a key and a palette entry. A feature registers its actions while it is on screen: `useActions(useMemo(() => [...], [...]))`. */
import { useEffect } from "react";
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

/** Registers actions while the component is mounted. Pass a memoised list. */
export function useActions(added: Action[]): void {
  useEffect(() => registerActions(added), [added]);
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

const chordMs = 1200;

/** Hears keys until the returned function is called. */
export function listenForKeys(target: Window = window): () => void {
  let begun = "";
  let timer = 0;

  const forget = () => {
    begun = "";
    target.clearTimeout(timer);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (["Control", "Meta", "Shift", "Alt"].includes(event.key)) return;
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
    if (exact) {
      event.preventDefault();
      forget();
      exact.run();
      return;
    }
    forget();
    if (heard.some((action) => action.keys.toLowerCase().startsWith(`${typed} `))) {
      begun = typed;
      timer = target.setTimeout(forget, chordMs);
      event.preventDefault();
    }
  };

  target.addEventListener("keydown", onKey);
  return () => {
    forget();
    target.removeEventListener("keydown", onKey);
  };
}
