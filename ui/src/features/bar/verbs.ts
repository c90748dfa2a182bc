/**
 * How a feature adds its verbs to the bar at the bottom of the window.
 *
 *     useVerbs(useMemo<Verb[]>(() => [{ id: "plan.approve", title: words.approve.title, … }], [...]));
 *
 * While the component is mounted, its verbs are in the bar, in the palette and among the keys. Of the verbs
 * with a `rank`, the highest one that isn't `disabled` is the primary button, also on Ctrl/⌘+Enter; its
 * menu lists the others, highest first, each with its consequence. A `beside` verb gets its own button to the
 * left of the primary one. A verb that approves or runs opens a dialog that shows its effect;
 * it never approves by itself.
 */
import type { ComponentType } from "react";
import { useLayoutEffect, useMemo } from "react";
import { type Action, type ActionGroup, useActions } from "../../app/keys";
import { createStore } from "../../lib/store";

export interface Verb {
  /** A stable id, `feature.verb`. */
  id: string;
  /** The label of the button. An ellipsis means that a dialog follows. */
  title: string;
  /** A one-line description of the effect, shown in the menu. */
  consequence: string;
  /** Its own key; the primary verb also has Ctrl/⌘+Enter. */
  keys: string;
  group?: ActionGroup;
  /** With a number, the verb is the primary button or in its menu; with `beside`, it gets a separate button. */
  rank: number | "beside";
  icon?: ComponentType<{ size?: number }>;
  /** Why the verb isn't available now. It is grayed out, and the reason is shown. */
  disabled?: string;
  danger?: boolean;
  run: () => void;
}

const store = createStore<Verb[]>([]);
export const verbs = store;

export interface BarVerbs {
  primary: Verb | null;
  menu: Verb[];
  beside: Verb[];
}

/** Splits the verbs into the primary one, its menu and the separate buttons. */
export function arrange(list: Verb[]): BarVerbs {
  const byId = new Map(list.map((verb) => [verb.id, verb]));
  const all = [...byId.values()];
  const ranked = all
    .filter((verb): verb is Verb & { rank: number } => verb.rank !== "beside")
    .sort((a, b) => b.rank - a.rank);
  const primary = ranked.find((verb) => !verb.disabled) ?? ranked[0] ?? null;
  return {
    primary,
    menu: ranked.filter((verb) => verb !== primary),
    beside: all.filter((verb) => verb.rank === "beside"),
  };
}

/** Registers verbs while the component is mounted. Pass a memoized list. */
export function useVerbs(added: Verb[]): void {
  useLayoutEffect(() => {
    store.set([...store.get(), ...added]);
    return () => store.set(store.get().filter((verb) => !added.includes(verb)));
  }, [added]);
  useActions(
    useMemo<Action[]>(
      () =>
        added.map((verb) => ({
          id: verb.id,
          title: verb.title,
          group: verb.group ?? "plan",
          keys: verb.keys,
          when: () => !verb.disabled,
          run: verb.run,
        })),
      [added],
    ),
  );
}
