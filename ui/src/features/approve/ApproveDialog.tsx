/** Approving exactly what is on screen: names the plan and its revision, shows what will run, asks what has to be asked. It approves only when its own button is pressed, once. */
import { Button, Checkbox } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ApprovalView, GivenNotes, Outline, RunEffort } from "../../api/bindings";
import { dropDrafts } from "../../api/draftList";
import { useDraft } from "../../api/drafts";
import { useApprove } from "../../api/mutations";
import { useGone } from "../../api/queries";
import { ArmedButton } from "../../components/ArmedButton";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import { showToast } from "../../lib/toast";
import { showPanel } from "../run/panel";
import { shortRevision } from "../run/words";
import styles from "./Approve.module.css";
import { asUsual, Effort, isUsual } from "./Effort";
import { Notes, noteKey } from "./Notes";
import { type Asked, closeApproval } from "./open";
import { Reason, TooThin } from "./Reason";
import { refusalHead } from "./refusal";
import { Since } from "./Since";
import { Blocked, Steps } from "./Steps";
import { Branch, Policy, Running, Unsent } from "./Surroundings";
import { useSeen } from "./useSeen";

type Ways = Exclude<Asked, "changes">;

interface ApproveDialogProps {
  outline: Outline;
  what: Ways;
  upto: string | null;
}

export function ApproveDialog({ outline, what, upto }: ApproveDialogProps) {
  const title = {
    run: "Approve and run",
    save: "Save as approved",
    notes: "Approve with notes",
    here: `Approve to ${upto ?? "here"}`,
  }[what];
  return (
    <Dialog onClose={closeApproval} title={title} size={640}>
      <Body outline={outline} what={what} upto={upto} />
    </Dialog>
  );
}

function Body({ outline, what, upto }: ApproveDialogProps) {
  const cache = useQueryClient();
  const { plan } = outline;
  const seen = useSeen(plan, outline.revision, upto);
  const { view } = seen;
  const gone = useGone(plan);
  const approve = useApprove();
  const isSent = useRef(false);
  const reason = useDraft(plan, "approve/reason", "", seen.revision);
  const [policy, setPolicy] = useState<string | null>(null);
  const [effort, setEffort] = useState<RunEffort>(asUsual);
  const [parallel, setParallel] = useState(1);
  const [branch, setBranch] = useState<string | null>(null);
  const [notes, setNotes] = useState<GivenNotes | null>(null);
  const [runsToo, setRunsToo] = useState(true);
  const [isLeft, setLeft] = useState(false);
  const run = what === "save" ? false : what === "notes" ? runsToo : true;
  const needsReason = view !== undefined && (view.reason_for !== null || view.blocked.length > 0);
  const words = reason.text.trim();

  const blocked = whyNot();
  function whyNot(): string | null {
    if (gone) return gone;
    if (seen.isOutdated) return "This revision is outdated. Read the new one first.";
    if (!view) return "Loading the steps.";
    if (seen.isReading) return "Reloading the steps.";
    if (seen.isStale) return "Couldn’t reload the steps.";
    if (view.not_runnable && run) return view.not_runnable;
    if (view.running && run) return "This plan is already running.";
    if (needsReason && !words) return "Enter a reason.";
    if (what !== "notes" && view.unsent_comments > 0 && !isLeft)
      return "Decide about the unsent comments.";
    if (what === "notes" && !notes) return "Write a note and preview it.";
    if (run && branch !== null && !branch.trim()) return "Enter a branch name.";
    return null;
  }

  const confirm = () => {
    if (!view || blocked !== null || isSent.current) return;
    isSent.current = true;
    approve.mutate(
      {
        plan,
        revision: seen.revision,
        run,
        upto,
        policy: run ? (policy ?? view.policy) : null,
        parallel: run ? parallel : null,
        reason: needsReason ? words : null,
        notes: what === "notes" ? notes : null,
        branch: run ? (branch?.trim() ?? null) : null,
        effort: run && !isUsual(effort) ? effort : null,
        shown_ms: seen.shownMs(),
      },
      {
        onSuccess: (approved) => {
          reason.drop();
          dropDrafts(
            cache,
            plan,
            (notes?.notes ?? []).map((note) => noteKey(note.task)),
          );
          closeApproval();
          showToast({
            tone: "good",
            title: run ? "Approved; the run has started" : "Saved as approved",
            message: `Revision ${shortRevision(approved.revision)}`,
          });
          if (approved.run) showPanel("run", approved.run);
        },
        onError: () => {
          isSent.current = false;
        },
      },
    );
  };

  return (
    <>
      <div className={styles.body}>
        <div className={styles.name}>
          <span className={styles.plan} dir="auto">
            {outline.title || "Plan without a title"}
          </span>
          <span className={styles.revision}>
            revision <span data-testid="seen-revision">{shortRevision(seen.revision)}</span>
          </span>
        </div>
        {seen.isOutdated && (
          <div className={styles.notice} data-tone="bad" role="alert">
            <p className={styles.noticeTitle}>The plan changed while this was open.</p>
            <p>
              This is revision <code>{shortRevision(seen.revision)}</code>; the plan is now{" "}
              <code>{shortRevision(outline.revision)}</code>. Read the new revision before you
              approve it.
            </p>
            <div>
              <Button size="xs" variant="default" onClick={seen.readNew}>
                Read the new revision
              </Button>
            </div>
          </div>
        )}
        {seen.error ? (
          <ErrorState title="The steps can’t be shown" error={seen.error} onRetry={seen.retry} />
        ) : !view ? (
          <Loading label="Loading the steps" />
        ) : (
          <>
            {view.running && <Running run={view.running} />}
            {view.not_runnable && (
              <div className={styles.notice} data-tone="bad">
                <p className={styles.noticeTitle}>This plan can’t run as it is.</p>
                <p dir="auto">{view.not_runnable}</p>
              </div>
            )}
            {what !== "notes" && <Unsent view={view} isLeft={isLeft} onLeave={setLeft} />}
            <Since plan={plan} revision={seen.revision} run={outline.run} isRun={run} />
            <Steps view={view} handOver={run ? effort.hand_over : null} isRun={run} />
            <Blocked view={view} />
            {view.reason_for !== null && (
              <TooThin outline={outline} revision={seen.revision} says={view.reason_for} />
            )}
            {needsReason && <Reason field={reason} isThin={view.reason_for !== null} />}
            {what === "notes" && (
              <>
                <Notes plan={plan} revision={seen.revision} steps={view.steps} onSeen={setNotes} />
                <Checkbox
                  size="xs"
                  label="Run now"
                  checked={runsToo}
                  onChange={(event) => setRunsToo(event.currentTarget.checked)}
                />
              </>
            )}
            {run && <Policy view={view} value={policy ?? view.policy} onChange={setPolicy} />}
            {run && (
              <Effort
                view={view.effort}
                value={effort}
                onChange={setEffort}
                parallel={parallel}
                onParallel={setParallel}
              />
            )}
            {run && view.git && (view.git.dirty_count > 0 || view.git.branch) && (
              <Branch git={view.git} branch={branch} onChange={setBranch} />
            )}
            <p className={styles.dim}>Sandbox: {view.sandbox}</p>
          </>
        )}
        {approve.error && (
          <div className={styles.notice} data-tone="bad" role="alert">
            <p className={styles.noticeTitle}>{refusalHead(approve.error)}</p>
            <p dir="auto">{approve.error.message}</p>
          </div>
        )}
      </div>
      <div className={styles.actions}>
        {blocked && <p className={styles.blocked}>{blocked}</p>}
        <Button variant="default" data-autofocus onClick={closeApproval}>
          Cancel
        </Button>
        <ArmedButton
          key={shownBytes(seen.revision, view, gone)}
          blocked={blocked !== null}
          busy={approve.isPending || approve.isSuccess}
          onPress={confirm}
        >
          {run ? (what === "here" ? `Approve to ${upto} and run` : "Approve and run") : "Approve"}
        </ArmedButton>
      </div>
    </>
  );
}

/** When this changes, something else would be approved: the button is a new one, and listens anew. */
function shownBytes(revision: string, view: ApprovalView | undefined, gone: string | null): string {
  return JSON.stringify([revision, view?.steps, view?.step_count, view?.blocked, gone]);
}
