/** The window's planning job and its template choices. The job continues while other screens are shown, so it isn't state of the first screen. */
import { createStore } from "../../lib/store";

export interface PlanningJob {
  job: string;
  workspace: string;
  goal: string;
  /** The agent that writes the plan, if one does. */
  agent: string | null;
  isCancelled: boolean;
  /** Whether the user asked to use the best plan so far. */
  hasEnough: boolean;
}

export const planningJob = createStore<PlanningJob | null>(null);

/** The template for the next goal; `null` to choose one that matches the goal. */
export const chosenTemplate = createStore<string | null>(null);

/** Whether the user declined the template that matches the goal. */
export const withoutTemplate = createStore(false);
