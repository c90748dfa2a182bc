/** The effort that plans are made with, and its keys, which are heard on every screen. Kept for as long as the window is open. */
import { useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { createStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { type EffortId, efforts } from "./words";

export const chosenEffort = createStore<EffortId>("auto");

/** With Ctrl or ⌘: on a plan `e` alone opens the selected step. */
export const effortKeys: Record<EffortId, string> = {
  auto: "mod+e a",
  quick: "mod+e q",
  thorough: "mod+e t",
};

/** @param isShown whether the choice can be read on screen; where it cannot, it is told */
export function useEffortKeys(isShown: boolean): void {
  useActions(
    useMemo<Action[]>(
      () =>
        efforts.map(({ id, title }) => ({
          id: `effort.${id}`,
          title: `Effort: ${title}`,
          group: "Plan",
          keys: effortKeys[id],
          run: () => {
            chosenEffort.set(id);
            if (!isShown) showToast({ tone: "info", title: `Effort of the next plan: ${title}` });
          },
        })),
      [isShown],
    ),
  );
}
