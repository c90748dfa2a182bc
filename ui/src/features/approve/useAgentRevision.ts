/** Has the agent that wrote a plan revise it, as the unsent comments ask, and reports the outcome. */
import { useCallback } from "react";
import { useReviseWithAgent } from "../../api/agents";
import { codeOf } from "../../api/client";
import { useCancelPlanning } from "../../api/mutations";
import { getPlace, openPlan, screenOf } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { agentRevisions, dismissRevision, isRevising, setRevision } from "./revisions";
import type { WriterAgent } from "./usePlanWriter";

const w = words.approve.revision;

export function useAgentRevision() {
  const { mutateAsync: reviseWithAgent } = useReviseWithAgent();
  const { mutate: cancelPlanning } = useCancelPlanning();

  const revise = useCallback(
    async (plan: string, writer: WriterAgent): Promise<void> => {
      if (isRevising(agentRevisions.get()[plan])) return;
      const { workspace } = getPlace();
      // One job for each plan, whichever window starts it.
      const job = `revision:${plan}`;
      setRevision(plan, { job, writer, state: "running", error: null });
      const open = (which: string) => ({
        label: w.open,
        run: () => openPlan(which, { workspace }),
      });
      try {
        const revised = await reviseWithAgent({ job, plan, agent: writer.name });
        dismissRevision(plan);
        showToast({
          tone: "good",
          title: w.doneTitle(writer.title),
          message: w.done,
          ...(isShown(revised.plan) ? {} : { action: open(revised.plan) }),
        });
        for (const notice of revised.notices) showToast({ tone: "info", title: notice });
      } catch (error) {
        if (codeOf(error) === "cancelled") {
          setRevision(plan, { job, writer, state: "cancelled", error: null });
          return;
        }
        const message = error instanceof Error ? error.message : String(error);
        setRevision(plan, { job, writer, state: "failed", error: message });
        if (!isShown(plan)) {
          showToast({
            tone: "bad",
            title: w.failedTitle(writer.title),
            message,
            action: open(plan),
          });
        }
      }
    },
    [reviseWithAgent],
  );

  const cancel = useCallback(
    (plan: string) => {
      const revision = agentRevisions.get()[plan];
      if (revision?.state !== "running") return;
      setRevision(plan, { ...revision, state: "cancelling" });
      cancelPlanning(revision.job);
    },
    [cancelPlanning],
  );

  return { revise, cancel };
}

function isShown(plan: string): boolean {
  const place = getPlace();
  return place.plan === plan && screenOf(place) === "plan";
}
