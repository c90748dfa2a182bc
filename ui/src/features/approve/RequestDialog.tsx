/** Requests changes instead of approving: a message for the whole plan, sent together with the unsent comments. Nothing runs. */
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Outline, Reviser } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useRequestChanges } from "../../api/mutations";
import { useComments, useGone, useStart } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorState } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { useStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { showPanel } from "../run/panel";
import styles from "./Approve.module.css";
import { closeApproval } from "./open";
import { ReviserChoice } from "./ReviserChoice";
import { agentRevisions, dismissRevision, isRevising } from "./revisions";
import { useAgentRevision } from "./useAgentRevision";
import { usePlanWriter } from "./usePlanWriter";

const w = words.approve.request;

const forAgent = words.approve.agent;

interface RequestDialogProps {
  outline: Outline;
  /** The name of the agent that waits for the decision. */
  agent: string | null;
}

export function RequestDialog({ outline, agent }: RequestDialogProps) {
  const { plan, revision } = outline;
  const field = useDraft(plan, "request", "", revision);
  const comments = useComments(plan);
  const request = useRequestChanges();
  const hasModel = useStart().data?.has_model ?? false;
  const unsent = (comments.data ?? []).filter((comment) => !comment.is_sent);
  const text = field.text.trim();
  const gone = useGone(plan);
  const isEmpty = !text && unsent.length === 0;
  const { writer, missing, isKnown } = usePlanWriter(plan);
  const [chosen, choose] = useState<Reviser | null>(null);
  // An agent that waits for the decision gets the request, so there is no choice.
  const hasChoice = agent === null && writer !== null;
  const reviser = hasChoice ? (chosen ?? "agent") : "model";
  const ongoing = useStore(agentRevisions)[plan];
  const { revise } = useAgentRevision();
  const busy =
    reviser === "agent" && isRevising(ongoing) ? w.alreadyRevising(ongoing.writer.title) : null;
  const loading = agent === null && !isKnown ? w.loadingAgents : null;
  const blocked = gone ?? busy ?? (isEmpty ? w.empty : loading);
  return (
    <Dialog onClose={closeApproval} title={w.title} size={560}>
      <div className={styles.body}>
        <p className="pw-hint">
          {w.intro(<code>{shortRevision(revision)}</code>)}{" "}
          {agent === null && missing && `${w.writerIsGone(missing)} `}
          {agent
            ? forAgent.getsRequest(agent)
            : reviser === "agent" && writer
              ? w.withWriter(writer.title)
              : reviser === "nobody"
                ? w.withNobody
                : hasModel
                  ? w.withModel
                  : w.withoutModel}
        </p>
        <Textarea
          label={w.label}
          description={w.hint}
          autosize
          minRows={3}
          maxRows={10}
          dir="auto"
          data-autofocus
          value={field.text}
          onChange={(event) => field.set(event.currentTarget.value)}
        />
        {hasChoice && (
          <ReviserChoice
            writer={writer.title}
            hasModel={hasModel}
            value={reviser}
            onChange={choose}
          />
        )}
        {comments.isError ? (
          <ErrorState title={w.loadFailed} error={comments.error} />
        ) : (
          unsent.length > 0 && (
            <section>
              <h3 className={styles.caption}>{w.comments(unsent.length)}</h3>
              <ul className={styles.list}>
                {unsent.map((comment) => (
                  <li key={comment.id} dir="auto">
                    {comment.task && <span className={styles.id}>{comment.task} </span>}
                    {comment.text}
                  </li>
                ))}
              </ul>
            </section>
          )
        )}
      </div>
      <div className={styles.actions}>
        {blocked && <p className={styles.blocked}>{blocked}</p>}
        <Button variant="default" onClick={closeApproval}>
          {w.cancel}
        </Button>
        <Button
          loading={request.isPending}
          aria-disabled={blocked !== null}
          data-disabled={blocked !== null || undefined}
          onClick={(event) => {
            if (blocked !== null || request.isPending || event.detail > 1) return;
            request.mutate(
              { plan, revision, text, reviser },
              {
                onSuccess: (told) => {
                  field.drop();
                  closeApproval();
                  const isForWriter = !(told > 0) && reviser === "agent" && writer !== null;
                  const message =
                    told > 0
                      ? forAgent.toldOfRequest(agent ?? forAgent.unnamed)
                      : isForWriter
                        ? words.approve.revision.started(writer.title)
                        : w.nothingRuns;
                  showToast({ tone: "good", title: w.requested, message });
                  if (isForWriter) revise(plan, writer);
                  else if (!isRevising(agentRevisions.get()[plan])) dismissRevision(plan);
                  if (reviser === "model" && hasModel && !(told > 0)) showPanel("talk");
                },
              },
            );
          }}
        >
          {w.confirm}
        </Button>
      </div>
    </Dialog>
  );
}
