/** Approves exactly what is on screen: names the plan and its revision, shows what will run, and asks for a reason, notes or run options where they are needed. Only its own button approves, and only once. */
import { Button, Checkbox } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { ApprovalView, Approved, GivenNotes, Outline, RunEffort } from "../../api/bindings";
import { dropDrafts } from "../../api/draftList";
import { useDraft } from "../../api/drafts";
import { useApprove } from "../../api/mutations";
import { useGone } from "../../api/queries";
import { ArmedButton } from "../../components/ArmedButton";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { showPanel } from "../run/panel";
import styles from "./Approve.module.css";
import { defaultEffort, Effort, isDefaultEffort } from "./Effort";
import { Notes, noteKey } from "./Notes";
import { type Asked, closeApproval } from "./open";
import { NeedsReason, Reason } from "./Reason";
import { refusalHeading } from "./refusal";
import { Branch, Policy, Running, Unsent } from "./Sections";
import { SinceLastApproval } from "./SinceLastApproval";
import { Blocked, Steps } from "./Steps";
import { useSeenRevision } from "./useSeenRevision";

const w = words.approve.dialog;
const forAgent = words.approve.agent;

type ApprovalKind = Exclude<Asked, "changes">;

interface ApproveDialogProps {
  outline: Outline;
  what: ApprovalKind;
  upto: string | null;
  /** The name of the agent that waits for the decision. */
  agent: string | null;
}

export function ApproveDialog({ outline, what, upto, agent }: ApproveDialogProps) {
  return (
    <Dialog onClose={closeApproval} title={titleOf(what, upto, agent)} size={640}>
      <Body outline={outline} what={what} upto={upto} agent={agent} />
    </Dialog>
  );
}

function titleOf(what: ApprovalKind, upto: string | null, agent: string | null): string {
  if (what === "here") return upto ? w.titleToStep(upto) : w.titleToHere;
  if (!agent) return words.approve.titles[what];
  const titles = {
    run: forAgent.runHereTitle,
    save: forAgent.title(agent),
    notes: forAgent.notesTitle(agent),
  };
  return titles[what];
}

function Body({ outline, what, upto, agent }: ApproveDialogProps) {
  const cache = useQueryClient();
  const { plan } = outline;
  const seen = useSeenRevision(plan, outline.revision, upto);
  const { view } = seen;
  const gone = useGone(plan);
  const approve = useApprove();
  const isSent = useRef(false);
  const reason = useDraft(plan, "approve/reason", "", seen.revision);
  const [policy, setPolicy] = useState<string | null>(null);
  const [effort, setEffort] = useState<RunEffort>(defaultEffort);
  const [parallel, setParallel] = useState(1);
  const [branch, setBranch] = useState<string | null>(null);
  const [notes, setNotes] = useState<GivenNotes | null>(null);
  // An agent may withdraw its review while the dialog is open. The approval must not turn into a run then.
  const [openedFor] = useState(agent);
  const [runsNow, setRunsNow] = useState(agent === null);
  const [isUnsentKept, setUnsentKept] = useState(false);
  const run = what === "save" ? false : what === "notes" ? runsNow && !agent : true;
  const needsReason = view !== undefined && (view.reason_for !== null || view.blocked.length > 0);
  const reasonText = reason.text.trim();

  const blocked = whyNot();
  function whyNot(): string | null {
    const why = words.approve.blocked;
    if (gone) return gone;
    if (seen.isOutdated) return why.outdated;
    if (!view) return why.loading;
    if (seen.isReading) return why.reloading;
    if (seen.isStale) return why.stale;
    if (view.not_runnable && run) return view.not_runnable;
    if (view.running && run) return why.running;
    if (needsReason && !reasonText) return why.noReason;
    if (what !== "notes" && view.unsent_comments > 0 && !isUnsentKept) return why.unsentComments;
    if (what === "notes" && !notes) return why.noNotes;
    if (run && branch !== null && !branch.trim()) return why.noBranch;
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
        reason: needsReason ? reasonText : null,
        notes: what === "notes" ? notes : null,
        branch: run ? (branch?.trim() ?? null) : null,
        effort: run && !isDefaultEffort(effort) ? effort : null,
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
            ...told(approved, agent ?? openedFor),
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
            {outline.title || w.untitled}
          </span>
          <span className={styles.revision}>
            {w.revision} <span data-testid="seen-revision">{shortRevision(seen.revision)}</span>
          </span>
        </div>
        {seen.isOutdated && (
          <div className={styles.notice} data-tone="bad" role="alert">
            <p className={styles.noticeTitle}>{w.changedTitle}</p>
            <p>
              {w.changed(
                <code>{shortRevision(seen.revision)}</code>,
                <code>{shortRevision(outline.revision)}</code>,
              )}
            </p>
            <div>
              <Button size="xs" variant="default" onClick={seen.readNew}>
                {w.readNew}
              </Button>
            </div>
          </div>
        )}
        {seen.error ? (
          <ErrorState title={w.loadFailed} error={seen.error} onRetry={seen.retry} />
        ) : !view ? (
          <Loading label={w.loading} />
        ) : (
          <>
            {view.running && <Running run={view.running} />}
            {view.not_runnable && (
              <div className={styles.notice} data-tone="bad">
                <p className={styles.noticeTitle}>{w.notRunnable}</p>
                <p dir="auto">{view.not_runnable}</p>
              </div>
            )}
            {what !== "notes" && (
              <Unsent view={view} isKept={isUnsentKept} onKeep={setUnsentKept} />
            )}
            {agent ? (
              <p>{run ? forAgent.isTakenOver(agent) : forAgent.carriesOut(agent)}</p>
            ) : (
              openedFor && !approve.isSuccess && <p>{forAgent.isGone(openedFor)}</p>
            )}
            <SinceLastApproval plan={plan} revision={seen.revision} run={outline.run} isRun={run} />
            <Steps view={view} handOver={run ? effort.hand_over : agent} isRun={run} />
            <Blocked view={view} />
            {view.reason_for !== null && (
              <NeedsReason outline={outline} revision={seen.revision} message={view.reason_for} />
            )}
            {needsReason && <Reason field={reason} isForPlan={view.reason_for !== null} />}
            {what === "notes" && (
              <>
                <Notes
                  plan={plan}
                  revision={seen.revision}
                  steps={view.steps}
                  onPreview={setNotes}
                />
                {!agent && (
                  <Checkbox
                    size="xs"
                    label={w.runNow}
                    checked={runsNow}
                    onChange={(event) => setRunsNow(event.currentTarget.checked)}
                  />
                )}
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
            {(run || !agent) && <p className="pw-hint">{w.sandbox(view.sandbox)}</p>}
          </>
        )}
        {approve.error && (
          <div className={styles.notice} data-tone="bad" role="alert">
            <p className={styles.noticeTitle}>{refusalHeading(approve.error)}</p>
            <p dir="auto">{approve.error.message}</p>
          </div>
        )}
      </div>
      <div className={styles.actions}>
        {blocked && <p className={styles.blocked}>{blocked}</p>}
        <Button variant="default" data-autofocus onClick={closeApproval}>
          {w.cancel}
        </Button>
        <ArmedButton
          key={shownContent(seen.revision, view, gone, [run, agent])}
          blocked={blocked !== null}
          busy={approve.isPending || approve.isSuccess}
          onPress={confirm}
        >
          {run
            ? what === "here" && upto
              ? w.approveToStepAndRun(upto)
              : w.approveAndRun
            : w.approve}
        </ArmedButton>
      </div>
    </>
  );
}

/** Identifies what would be approved. When it changes, the confirm button is replaced, so that an earlier click can't approve the new content. */
function shownContent(
  revision: string,
  view: ApprovalView | undefined,
  gone: string | null,
  effect: [run: boolean, agent: string | null],
): string {
  return JSON.stringify([revision, view?.steps, view?.step_count, view?.blocked, gone, effect]);
}

/** The text of the toast after the approval. It also says whether a waiting agent was notified. */
function told(approved: Approved, agent: string | null): { title: string; message: string } {
  const { run, revision } = approved;
  const short = shortRevision(revision);
  if (approved.told > 0) {
    const name = agent ?? forAgent.unnamed;
    return run
      ? { title: w.approvedAndStarted, message: forAgent.toldOfRun(name) }
      : { title: forAgent.toldTitle(name), message: forAgent.told(name, short) };
  }
  return {
    title: run ? w.approvedAndStarted : w.saved,
    message: agent ? forAgent.toldNobody(agent) : w.savedRevision(short),
  };
}
