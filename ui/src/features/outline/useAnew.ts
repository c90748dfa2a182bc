/** Has the plan written anew for its goal, in its place, and offers to undo that. */
import { useRef } from "react";
import type { PlanWriter } from "../../api/bindings";
import { usePlanAnew } from "../../api/mutations";
import { showToast } from "../../lib/toast";
import { useSend } from "./useSend";

export interface Anew {
  /** Who is writing it now. */
  by: PlanWriter | null;
  /** Names that work. */
  job: string;
  make: (by: PlanWriter, title: string) => void;
}

export function useAnew(plan: string, revision: string): Anew {
  const { mutate, isPending, variables } = usePlanAnew();
  const { offerUndo } = useSend(plan);
  const job = useRef("");
  const make = (by: PlanWriter, title: string) => {
    job.current = `anew-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    mutate(
      { job: job.current, plan, seen: revision, by },
      {
        onSuccess: (outcome) => {
          if (outcome.outcome === "written") offerUndo(title, outcome.revision);
          else {
            showToast({
              tone: "info",
              title: "The plan was changed meanwhile",
              message: "It is as you see it; nothing was rewritten.",
            });
          }
        },
      },
    );
  };
  return { by: isPending ? (variables?.by ?? null) : null, job: job.current, make };
}
