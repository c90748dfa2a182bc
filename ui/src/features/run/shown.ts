/** The shown run of the open plan: the one chosen from the list, or else the latest. */
import { useMemo } from "react";
import type { RowFilter, RunQuestion, RunView } from "../../api/bindings";
import { useOutline, useRowRuns, useRun } from "../../api/queries";
import { usePlace } from "../../app/place";

export interface ShownRun {
  /** The shown run; `null` if the plan has none. */
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
  // The chosen run may belong to another plan.
  const mine = view && view.plan !== plan ? undefined : view;
  return useMemo(() => ({ run, newest, view: mine }), [run, newest, mine]);
}

const openSteps: RowFilter = { folded: [], only: ["waiting"], words: "" };

/** The latest run of a plan, if it is done and the plan has no open steps, not even ones added since. */
export function useFinishedRun(plan: string | null): string | null {
  const outline = useOutline(plan).data;
  const view = useRun(outline?.run ?? null).data;
  const isDone = outline !== undefined && view?.state === "done" && !goesOn(view);
  const { data } = useRowRuns(plan ?? "", outline?.revision ?? "", isDone ? openSteps : null);
  return isDone && data?.revision === outline.revision && data.rows === 0 ? view.run : null;
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
