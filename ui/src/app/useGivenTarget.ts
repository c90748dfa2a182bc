/** Opens the path or link that the program was started with, or that a second start passed on. */
import { useCallback } from "react";
import { takeTarget } from "../api/mutations";
import { useOpening } from "../features/first/useOpening";
import { openInOutline } from "../features/outline/showTask";
import { showToast } from "../lib/toast";
import { words } from "../words";
import { getPlace, openPlan, openWorkspace } from "./place";

/** Returns a function that opens the target that the program was given, if any. */
export function useGivenTarget(): () => void {
  const { open } = useOpening();
  return useCallback(() => {
    takeTarget().then(
      (target) => {
        if (target?.kind === "path") open(target.path);
        else if (target) showLinked(target.workspace, target.plan, target.step);
      },
      (error: Error) =>
        showToast({
          tone: "bad",
          title: words.app.window.targetNotOpened,
          message: error.message,
        }),
    );
  }, [open]);
}

/** Shows the target of a link. A link can come from anywhere, so it never does more than that. */
function showLinked(workspace: string, plan: string | null, step: string | null): void {
  if (!plan) openWorkspace(workspace);
  else {
    if (getPlace().workspace !== workspace) openWorkspace(workspace, plan);
    openPlan(plan);
    if (step) openInOutline(step);
  }
}
