/** Approving beside the plan: its verbs in the bar and the dialogs they open. */
import {
  IconBookmark,
  IconFlagCheck,
  IconMessageReply,
  IconNote,
  IconPlayerPlay,
} from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useGone, useOutline, useRun, useStart } from "../../api/queries";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { useVerbs, type Verb } from "../bar/verbs";
import { goesOn } from "../run/shown";
import { askApproval, asked, closeApproval } from "./open";

const ApproveDialog = lazy(() =>
  import("./ApproveDialog").then((found) => ({ default: found.ApproveDialog })),
);
const RequestDialog = lazy(() =>
  import("./RequestDialog").then((found) => ({ default: found.RequestDialog })),
);

export default function ApprovePart() {
  const { plan, task } = usePlace();
  const outline = useOutline(plan).data;
  // The newest run, not the one that is looked at: it is what a new one would stand beside.
  const view = useRun(outline?.run ?? null).data;
  const hasModel = useStart().data?.has_model ?? false;
  const open = useStore(asked);
  const isOn = goesOn(view);
  const isRead = outline !== undefined;
  const gone = useGone(plan) ?? undefined;

  // Another plan, another approval: a dialog never outlives the plan it names.
  useEffect(() => closeApproval, []);

  useVerbs(
    useMemo<Verb[]>(() => {
      if (!isRead) return [];
      const running = gone ?? (isOn ? "This plan is already running" : undefined);
      return [
        {
          id: "plan.approve",
          title: "Approve and run…",
          consequence: "Shows what will run, then runs exactly this revision",
          keys: "p a",
          rank: 50,
          icon: IconPlayerPlay,
          disabled: running,
          run: () => askApproval("run"),
        },
        {
          id: "plan.approveSave",
          title: "Save as approved…",
          consequence: "Approves this revision without running it",
          keys: "p s",
          rank: 40,
          icon: IconBookmark,
          disabled: gone,
          run: () => askApproval("save"),
        },
        {
          id: "plan.approveNotes",
          title: "Approve with notes…",
          consequence: "Adds your notes under the steps and approves the resulting plan",
          keys: "p n",
          rank: 39,
          icon: IconNote,
          disabled: running,
          run: () => askApproval("notes"),
        },
        {
          id: "plan.approveHere",
          title: task ? `Approve to ${task}…` : "Approve to here…",
          consequence: task
            ? `Runs the steps up to ${task} and stops there`
            : "Runs the steps up to the selected one and stops there",
          keys: "p h",
          rank: 38,
          icon: IconFlagCheck,
          disabled: running ?? (task ? undefined : "Select a step in the outline first"),
          run: () => askApproval("here", task),
        },
        {
          id: "plan.request",
          title: "Request changes…",
          consequence: hasModel
            ? "Sends your words to the model for a new proposal; nothing runs"
            : "Keeps your comments and marks the plan; nothing runs",
          keys: "p c",
          rank: 37,
          icon: IconMessageReply,
          disabled: gone,
          run: () => askApproval("changes"),
        },
      ];
    }, [isRead, isOn, gone, task, hasModel]),
  );

  if (!open || !outline) return null;
  return (
    <Suspense fallback={null}>
      {open.what === "changes" ? (
        <RequestDialog outline={outline} />
      ) : (
        <ApproveDialog
          key={`${open.what}:${open.upto}`}
          outline={outline}
          what={open.what}
          upto={open.upto}
        />
      )}
    </Suspense>
  );
}
