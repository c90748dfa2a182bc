/** Which run of the open plan is looked at: the one chosen among the earlier ones, else the newest. */
import { useMemo } from "react";
import type { RunQuestion, RunView } from "../../api/bindings";
import { useOutline, useRun } from "../../api/queries";
import { usePlace } from "../../app/place";

export interface ShownRun {
  /** The run that is looked at; `null` when there is none. */
  run: string | null;
  /** The newest run of the plan. */
  newest: string | null;
  view: RunView | undefined;
}

export function useShownRun(): ShownRun {
  const { plan, run: chosen } = usePlace();
  const newest = useOutline(plan).data?.run ?? null;
  const run = chosen ?? newest;
  const view = useRun(run).data;
  // A run that was chosen in another plan is not this plan's.
  const mine = view && view.plan !== plan ? undefined : view;
  return useMemo(() => ({ run, newest, view: mine }), [run, newest, mine]);
}

/** Whether a process carries the run out right now, this one or another. */
export function goesOn(view: RunView | undefined): boolean {
  return view !== undefined && (view.is_live || view.is_elsewhere);
}

/** Tells two questions apart: another command, or other words, is another question. */
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

/** The id of a question's card in the page. */
export function cardId(question: RunQuestion): string {
  return `card-${question.run}-${question.task}-${question.kind}`;
}
