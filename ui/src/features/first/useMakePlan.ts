/** Makes a plan from a goal: starts the job, opens the plan, and shows its notices. */
import { useCallback } from "react";
import type { PlanMade } from "../../api/bindings";
import { useCancelPlanning, useMakePlan, useUseWhatThereIs } from "../../api/mutations";
import { getPlace, openPlan, screenOf } from "../../app/place";
import { useStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { chosenEffort } from "../routes/effort";
import { chosenTemplate, planningJob, withoutTemplate } from "./planning";

export interface Wanted {
  workspace: string;
  goal: string;
  requirements: string[] | null;
}

/** A plan to be made, perhaps by another agent. */
interface Making extends Wanted {
  agent: string | null;
}

export function usePlanMaking() {
  const { mutateAsync: makePlan } = useMakePlan();
  const { mutate: cancelPlanning } = useCancelPlanning();
  const { mutate: takeWhatThereIs } = useUseWhatThereIs();
  const job = useStore(planningJob);

  const make = useCallback(
    async (wanted: Making): Promise<boolean> => {
      if (planningJob.get()) return false;
      const id = `plan-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      planningJob.set({
        job: id,
        workspace: wanted.workspace,
        goal: wanted.goal,
        agent: wanted.agent,
        isCancelled: false,
        hasEnough: false,
      });
      try {
        const made = await makePlan({
          job: id,
          ...wanted,
          template: chosenTemplate.get(),
          without_template: withoutTemplate.get(),
          effort: chosenEffort.get(),
          pins: [],
          reason: null,
        });
        chosenTemplate.set(null);
        withoutTemplate.set(false);
        show(made, wanted.workspace);
        return true;
      } catch {
        // The query cache shows the error. The goal stays in its box.
        return false;
      } finally {
        planningJob.set(null);
      }
    },
    [makePlan],
  );

  const cancel = useCallback(() => {
    const running = planningJob.get();
    if (!running) return;
    planningJob.set({ ...running, isCancelled: true });
    cancelPlanning(running.job);
  }, [cancelPlanning]);

  /** Stops planning and keeps the best plan so far. */
  const takeBest = useCallback(() => {
    const running = planningJob.get();
    if (!running) return;
    planningJob.set({ ...running, hasEnough: true });
    takeWhatThereIs(running.job);
  }, [takeWhatThereIs]);

  return { job, make, cancel, takeBest };
}

/** Opens the plan if the first screen is still shown, and offers to open it otherwise. */
function show(made: PlanMade, workspace: string): void {
  const place = getPlace();
  if (place.workspace === workspace && screenOf(place) === "first") openPlan(made.plan.plan);
  else {
    showToast({
      tone: "good",
      title: words.first.made.title(made.plan.title),
      action: { label: words.first.made.open, run: () => openPlan(made.plan.plan, { workspace }) },
    });
  }
  for (const notice of made.notices) showToast({ tone: "info", title: notice });
  if (made.refused) {
    showToast({ tone: "bad", title: words.first.made.refusedTitle, message: made.refused });
  }
}
