/**
 * How a feature puts its verbs into the bar at the foot of the window.
 *
 *     useVerbs(useMemo<Verb[]>(() => [{ id: "plan.approve", title: "Approve and run…", … }], [...]));
 *
 * While the component is mounted its verbs stand in the bar, in the palette and in the key map. Of all
 * verbs with a `rank` the highest one that is not `disabled` is the primary button, heard on Ctrl/⌘+Enter;
 * the others are listed in its menu, highest first, each with its consequence. `beside` verbs are
 * buttons of their own, left of the primary one. A verb that approves or runs opens a dialog that
 * shows what it is about; it never approves by itself.
 */
import type { ComponentType } from "react";
import { useLayoutEffect, useMemo } from "react";
import { type Action, type ActionGroup, useActions } from "../../app/keys";
import { createStore } from "../../lib/store";

export interface Verb {
  /** Stable, `feature.verb`. */
  id: string;
  /** On the button: "Approve and run…". An ellipsis says that a dialog follows. */
  title: string;
  /** What it leads to, in one line, as the menu says it. */
  consequence: string;
  /** Its own key; the primary one is heard on Ctrl/⌘+Enter too. */
  keys: string;
  group?: ActionGroup;
  /** Where it stands: a number for the primary button and its menu, `beside` for a button of its own. */
  rank: number | "beside";
  icon?: ComponentType<{ size?: number }>;
  /** Why it cannot be done now; it is shown, greyed, with this reason. */
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

/** Which verb is the primary one, and where the others stand. */
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

/** Registers verbs while the component is mounted. Pass a memoised list. */
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
          group: verb.group ?? "Plan",
          keys: verb.keys,
          when: () => !verb.disabled,
          run: verb.run,
        })),
      [added],
    ),
  );
}
