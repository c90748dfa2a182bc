/** A plan's state: draft, under review, approved, running, done, or archived. */
import {
  IconArchive,
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconMessage,
  IconMessageQuestion,
} from "@tabler/icons-react";
import type { PlanSummary } from "../../api/bindings";
import type { Tone } from "../../components/Chip";
import { words } from "../../words";

/** The state of a plan; a key of `words.plans.states`. */
export type PlanState =
  | "draft"
  | "proposed"
  | "changes_requested"
  | "approved"
  | "running"
  | "waiting"
  | "paused"
  | "failed"
  | "interrupted"
  | "done"
  | "archived";

type Known = Pick<PlanSummary, "run_state" | "mark" | "is_over"> & {
  is_archived?: boolean;
};

/** Determines the state. In order of precedence: an unfinished run, archived, every step done or skipped, the review state of this revision. */
export function planState({ run_state: run, mark, is_over, is_archived }: Known): PlanState {
  if (run !== null && run in words.plans.states) return run as PlanState;
  if (is_archived) return "archived";
  if (is_over) return "done";
  if (mark !== null && mark in words.plans.states) return mark as PlanState;
  return "draft";
}

/** The appearance of each state. A run's states have a dot in the list instead of an icon. */
export const stateLooks: Record<PlanState, { tone: Tone; icon?: typeof IconCheck }> = {
  draft: { tone: "outline", icon: IconCircleDashed },
  proposed: { tone: "plain", icon: IconMessage },
  changes_requested: { tone: "warn", icon: IconMessageQuestion },
  approved: { tone: "accent", icon: IconCircleCheck },
  running: { tone: "accent" },
  waiting: { tone: "risk" },
  paused: { tone: "plain" },
  failed: { tone: "bad" },
  interrupted: { tone: "risk" },
  done: { tone: "good", icon: IconCheck },
  archived: { tone: "outline", icon: IconArchive },
};
