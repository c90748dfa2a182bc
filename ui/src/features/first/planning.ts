/** The planning job of this window. It goes on when the person looks at something else, so it lives beside the screen, not in it. */
import { createStore } from "../../lib/store";

export interface PlanningJob {
  job: string;
  workspace: string;
  goal: string;
  isCancelled: boolean;
  /** Whether the person asked for what there is. */
  hasEnough: boolean;
}

export const planningJob = createStore<PlanningJob | null>(null);

/** The template that the next goal is planned with; `null` lets the goal choose. */
export const chosenTemplate = createStore<string | null>(null);

/** Whether the person refused the template that the goal asks for. */
export const withoutTemplate = createStore(false);
