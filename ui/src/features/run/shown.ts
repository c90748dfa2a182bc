/** The run of the open plan that is shown: the one chosen from the list, else the latest. */
import { useMemo } from "react";
import type { RunQuestion, RunView } from "../../api/bindings";
import { useOutline, useRun } from "../../api/queries";
import { usePlace } from "../../app/place";

export interface ShownRun {
  /** `null` when the plan has no run. */
  run: string | null;
  /** The latest run of the plan. */
  newest: string | null;
  view: RunView | undefined;
}

export function useShownRun(): ShownRun {
  const { plan, run: chosen } = usePlace();
  const newest = useOutline(plan).data?.run ?? null;
  const run = chosen ?? newest;
  const view = useRun(run).data;
  // The chosen run may be another plan's.
  const mine = view && view.plan !== plan ? undefined : view;
  return useMemo(() => ({ run, newest, view: mine }), [run, newest, mine]);
}

/** Whether a process is executing the run now, this one or another. */
export function goesOn(view: RunView | undefined): boolean {
  return view !== undefined && (view.is_live || view.is_elsewhere);
}

/** Identifies a question: a different command or message is a different question. */
export function questionKey(question: RunQuestion): string {
  return [
    question.run,
    question.task,
    question.kind,
    question.fingerprint,
    question.permission?.subject,
    question.message,
  ].join("\u0000");
}

/** The DOM id of a question's card. */
export function cardId(question: RunQuestion): string {
  return `card-${question.run}-${question.task}-${question.kind}`;
}
