/** Opens the plan's file in the user's editor: at a line, at the selected step, or at its start. */
import { useCallback } from "react";
import type { Outline } from "../../api/bindings";
import { useOpenInEditor } from "../../api/mutations";
import { askLine } from "../../api/taskLine";
import { getPlace } from "../../app/place";

/** Returns `null` for a plan outside of the workspace, whose file can't be opened. */
export function useOpenPlan(
  outline: Outline | undefined,
): { atLine: (line: number) => void; atStep: () => void } | null {
  const { mutate } = useOpenInEditor();
  const workspace = outline?.workspace ?? "";
  const path = outline?.path ?? "";
  const plan = outline?.plan ?? "";
  const revision = outline?.revision ?? "";
  const atLine = useCallback(
    (line: number) => mutate({ workspace, path, line }),
    [mutate, workspace, path],
  );
  const atStep = useCallback(() => {
    const { task } = getPlace();
    // If the step no longer exists, the plan still opens.
    const line = task ? askLine(plan, revision, task).catch(() => null) : Promise.resolve(null);
    void line.then((found) => mutate({ workspace, path, line: found }));
  }, [mutate, workspace, path, plan, revision]);
  return outline && !outline.is_foreign ? { atLine, atStep } : null;
}
