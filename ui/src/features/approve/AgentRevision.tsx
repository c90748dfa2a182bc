/** A strip above the plan about its revision by the agent that wrote it: the progress, or why it failed. */
import { Button } from "@mantine/core";
import { useCallback } from "react";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { PlanningProgress } from "../routes/PlanningProgress";
import styles from "./AgentRevision.module.css";
import { askApproval } from "./open";
import { agentRevisions, dismissRevision, isRevising } from "./revisions";
import { useAgentRevision } from "./useAgentRevision";

const w = words.approve.revision;

export function AgentRevision({ plan }: { plan: string }) {
  const revision = useStore(agentRevisions)[plan];
  const { cancel } = useAgentRevision();
  const onCancel = useCallback(() => cancel(plan), [cancel, plan]);
  if (!revision) return null;
  const { writer, state, error } = revision;
  if (isRevising(revision)) {
    return (
      <div className={styles.progress}>
        <PlanningProgress
          job={revision.job}
          isCancelled={state === "cancelling"}
          hasEnough={false}
          onCancel={onCancel}
          onEnough={null}
        />
      </div>
    );
  }
  const title = state === "failed" ? w.failedTitle(writer.title) : w.cancelledTitle(writer.title);
  return (
    <section className={styles.ended} aria-label={w.label(writer.title)}>
      <div className={styles.words} role="alert">
        <p>
          <strong>{title}</strong> {w.isSaved}
        </p>
        {error && <p dir="auto">{error}</p>}
      </div>
      <Button size="compact-sm" variant="default" onClick={() => askApproval("changes")}>
        {w.again}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => dismissRevision(plan)}>
        {w.dismiss}
      </Button>
    </section>
  );
}
