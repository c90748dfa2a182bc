/** Rewrites the plan for its goal, in place, and offers to undo it. */
import { useRef } from "react";
import type { PlanWriter } from "../../api/bindings";
import { usePlanAnew } from "../../api/mutations";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { useSend } from "./useSend";

export interface Rewrite {
  /** Who is rewriting the plan; `null` if it isn't being rewritten. */
  by: PlanWriter | null;
  /** The id of the planning job, with which the rewrite can be cancelled. */
  job: string;
  /** Starts rewriting. `title` is the title of the toast shown at the end. */
  start: (by: PlanWriter, title: string) => void;
}

export function useRewrite(plan: string, revision: string): Rewrite {
  const { mutate, isPending, variables } = usePlanAnew();
  const { offerUndo } = useSend(plan);
  const job = useRef("");
  const start = (by: PlanWriter, title: string) => {
    job.current = `anew-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    mutate(
      { job: job.current, plan, seen: revision, by },
      {
        onSuccess: (outcome) => {
          if (outcome.outcome === "written") offerUndo(title, outcome.revision);
          else {
            showToast({
              tone: "info",
              title: words.outline.origin.changedTitle,
              message: words.outline.origin.changedMessage,
            });
          }
        },
      },
    );
  };
  return { by: isPending ? (variables?.by ?? null) : null, job: job.current, start };
}
