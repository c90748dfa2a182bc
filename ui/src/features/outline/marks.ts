/** The state of each step in a run, from the same queries as the run panel. */
import { useMemo } from "react";
import { useBeside, useProgress, useRun } from "../../api/queries";
import { words } from "../../words";

export interface Mark {
  /** `ready`, `running`, `done`, `failed`, `skipped`, `waiting`, `interrupted` or `undone`. */
  state: string;
  /** The evidence, shown at the right of the row. */
  evidence: string | null;
}

export type Marks = (task: string) => Mark | undefined;

/** @param run the open run, or the newest one of the plan */
export function useMarks(run: string | null): Marks {
  const view = useRun(run).data;
  const progress = useProgress(run);
  const parallel = useBeside(run);
  return useMemo(() => {
    const byTask = new Map<string, Mark>();
    for (const one of view?.states ?? []) {
      byTask.set(one.task, { state: one.state, evidence: one.evidence });
    }
    const current = view?.is_live ? (progress ?? view.current) : null;
    const others = view?.is_live ? (parallel ?? view.beside) : [];
    for (const step of current ? [current, ...others] : others) {
      if (byTask.get(step.task)?.state !== "running") continue;
      const seconds = (step.elapsed_ms / 1000).toFixed(1);
      byTask.set(step.task, { state: "running", evidence: words.outline.rows.running(seconds) });
    }
    return (task) => byTask.get(task);
  }, [view, progress, parallel]);
}
