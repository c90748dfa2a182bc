/** Approval verbs for the bar, and the dialogs they open. Opening a dialog approves nothing. */
import {
  IconBookmark,
  IconCheck,
  IconFlagCheck,
  IconMessageReply,
  IconNote,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useGone, useOutline, useRun, useStart, useWaitingReview } from "../../api/queries";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { useVerbs, type Verb } from "../bar/verbs";
import { goesOn } from "../run/shown";
import { askApproval, asked, closeApproval } from "./open";
import { usePlanWriter } from "./usePlanWriter";

const ApproveDialog = lazy(() =>
  import("./ApproveDialog").then((found) => ({ default: found.ApproveDialog })),
);
const RequestDialog = lazy(() =>
  import("./RequestDialog").then((found) => ({ default: found.RequestDialog })),
);

export default function ApprovePart() {
  const { plan, task } = usePlace();
  const outline = useOutline(plan).data;
  // The newest run, not the one on screen: only one run of a plan can be active.
  const view = useRun(outline?.run ?? null).data;
  const hasModel = useStart().data?.has_model ?? false;
  const agent = useWaitingReview(plan).data?.agent ?? null;
  const { writer } = usePlanWriter(plan);
  const reviser = agent ?? writer?.title;
  const open = useStore(asked);
  const isOn = goesOn(view);
  const isRead = outline !== undefined;
  const gone = useGone(plan) ?? undefined;

  // A dialog belongs to one plan and closes with it.
  useEffect(() => closeApproval, []);

  useVerbs(
    useMemo<Verb[]>(() => {
      if (!isRead) return [];
      const w = words.approve.verbs;
      const running = gone ?? (isOn ? w.running : undefined);
      const here: Verb = {
        id: "plan.approveHere",
        title: task ? w.toStep(task) : w.here,
        consequence: task ? w.toStepConsequence(task) : w.hereConsequence,
        keys: "p h",
        rank: 38,
        icon: IconFlagCheck,
        disabled: running ?? (task ? undefined : w.noStepSelected),
        run: () => askApproval("here", task),
      };
      const a = agent && words.approve.agent;
      return [
        {
          id: "plan.approve",
          title: a ? a.runHere : w.run,
          consequence: a ? a.runHereConsequence(agent) : w.runConsequence,
          keys: "p a",
          // Ranks lower while an agent waits, because approving for the agent is the primary verb then.
          rank: a ? 36.5 : 50,
          icon: IconPlayerPlay,
          disabled: running,
          run: () => askApproval("run"),
        },
        {
          id: "plan.approveSave",
          title: a ? a.approve(shortName(agent)) : w.save,
          consequence: a ? a.approveConsequence(agent) : w.saveConsequence,
          keys: "p s",
          rank: a ? 95 : 40,
          icon: a ? IconCheck : IconBookmark,
          disabled: gone,
          run: () => askApproval("save"),
        },
        {
          id: "plan.approveNotes",
          title: w.notes,
          consequence: a ? a.notesConsequence(agent) : w.notesConsequence,
          keys: "p n",
          rank: 39,
          icon: IconNote,
          disabled: running,
          run: () => askApproval("notes"),
        },
        // Not offered while an agent waits: after a run up to a step, nobody would carry out the rest.
        ...(a ? [] : [here]),
        {
          id: "plan.request",
          title: w.request,
          consequence: reviser
            ? words.approve.agent.requestConsequence(reviser)
            : hasModel
              ? w.requestConsequence
              : w.requestWithoutModelConsequence,
          keys: "p c",
          rank: 37,
          icon: IconMessageReply,
          disabled: gone,
          run: () => askApproval("changes"),
        },
      ];
    }, [isRead, isOn, gone, task, hasModel, agent, reviser]),
  );

  if (!open || !outline) return null;
  return (
    <Suspense fallback={null}>
      {open.what === "changes" ? (
        <RequestDialog outline={outline} agent={agent} />
      ) : (
        <ApproveDialog
          key={`${open.what}:${open.upto}`}
          outline={outline}
          what={open.what}
          upto={open.upto}
          agent={agent}
        />
      )}
    </Suspense>
  );
}

/** Maximum length of an agent's name on a button, in characters. */
const maxName = 24;

function shortName(agent: string): string {
  return agent.length > maxName ? `${agent.slice(0, maxName - 1)}…` : agent;
}
