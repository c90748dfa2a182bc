/** What a run says about the tasks: a mark for each, asked from the run's own query, so that the outline never asks a run by itself more than once. */
import { useMemo } from "react";
import { useBeside, useProgress, useRun } from "../../api/queries";

export interface Mark {
  /** `ready`, `running`, `done`, `failed`, `skipped`, `waiting`, `interrupted` or `undone`. */
  state: string;
  /** What the row says at its right. */
  evidence: string | null;
}

export type Marks = (task: string) => Mark | undefined;

/** @param run the newest run of the plan, or the one that is looked at */
export function useMarks(run: string | null): Marks {
  const view = useRun(run).data;
  const told = useProgress(run);
  const toldBeside = useBeside(run);
  return useMemo(() => {
    const byTask = new Map<string, Mark>();
    for (const one of view?.states ?? []) {
      byTask.set(one.task, { state: one.state, evidence: one.evidence });
    }
    const current = view?.is_live ? (told ?? view.current) : null;
    const others = view?.is_live ? (toldBeside ?? view.beside) : [];
    for (const step of current ? [current, ...others] : others) {
      if (byTask.get(step.task)?.state !== "running") continue;
      const seconds = (step.elapsed_ms / 1000).toFixed(1);
      byTask.set(step.task, { state: "running", evidence: `running ${seconds} s` });
    }
    return (task) => byTask.get(task);
  }, [view, told, toldBeside]);
}
