/** The effort for the next plan, kept while the window is open, and the actions that change it on every screen. */
import { useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { createStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { type EffortId, efforts } from "./routeText";

export const chosenEffort = createStore<EffortId>("auto");

/** Shortcuts by effort; with Ctrl or ⌘, because `e` alone opens the selected step. */
export const effortKeys: Record<EffortId, string> = {
  auto: "mod+e a",
  quick: "mod+e q",
  thorough: "mod+e t",
};

/** @param isShown whether the effort is on screen; if not, a toast reports the change */
export function useEffortKeys(isShown: boolean): void {
  useActions(
    useMemo<Action[]>(
      () =>
        efforts.map(({ id, title }) => ({
          id: `effort.${id}`,
          title: words.routes.effort.chosen(title),
          group: "plan",
          keys: effortKeys[id],
          run: () => {
            chosenEffort.set(id);
            if (!isShown) showToast({ tone: "info", title: words.routes.effort.changed(title) });
          },
        })),
      [isShown],
    ),
  );
}
