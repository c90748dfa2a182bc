/** The Run tab: the run's current step, the questions that wait, its steps, and other runs of the plan. */
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import type { RunView } from "../../api/bindings";
import { useRun, useRunStep, useRunsOf } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { when } from "../../lib/time";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import { QuestionCard } from "./cards/QuestionCard";
import { runStateLabel } from "./labels";
import { Recovery } from "./Recovery";
import { RunBanner } from "./RunBanner";
import { RunHead, useCurrent } from "./RunHead";
import styles from "./RunPanel.module.css";
import { StepList } from "./StepList";
import { StepView } from "./StepView";
import { goesOn, questionKey, useShownRun } from "./shown";
import { useCopyBrief } from "./useCopyBrief";

export default function RunPanel() {
  const { run, newest, view } = useShownRun();
  const query = useRun(run);
  if (run === null) return <NoRun />;
  if (query.isError) {
    return (
      <ErrorState
        title={words.run.panel.errorTitle}
        error={query.error}
        onRetry={() => void query.refetch()}
      >
        {run !== newest && (
          <Button variant="default" onClick={() => setPlace({ run: null })}>
            {words.run.panel.showLatest}
          </Button>
        )}
      </ErrorState>
    );
  }
  if (!view) return <Loading label={words.run.panel.loading} />;
  return <OneRun view={view} newest={newest} />;
}

function NoRun() {
  return (
    <>
      <EmptyState icon={<IconPlayerPlay size={26} />} title={words.run.panel.emptyTitle}>
        <p>{words.run.panel.emptyText}</p>
        <Button mt="sm" variant="default" onClick={() => askApproval("run")}>
          {words.run.panel.approveAndRun}
        </Button>
      </EmptyState>
      <div className={styles.panel}>
        <HandOff />
      </div>
    </>
  );
}

function OneRun({ view, newest }: { view: RunView; newest: string | null }) {
  const current = useCurrent(view);
  const task = current?.task ?? view.questions[0]?.task ?? null;
  const step = useRunStep(view.run, task).data;
  const closed = view.is_elsewhere ? words.run.panel.isElsewhere : null;
  // If the step has failed, its card already shows the recovery options.
  const hasFailed = view.questions.some((one) => one.task === task && one.kind === "failure");
  return (
    <div className={styles.panel}>
      <RunHead view={view} model={step?.model ?? null} />
      <RunBanner view={view} newest={newest} />
      {step && (goesOn(view) || view.questions.length > 0) && (
        <>
          <StepView step={step} discoveries={current?.discoveries} hidesReason={hasFailed} />
          {step.model && !hasFailed && (
            <Recovery
              plan={view.plan}
              run={view.run}
              task={step.task}
              options={step.model.ways}
              closed={closed}
            />
          )}
        </>
      )}
      {view.questions.map((question) => (
        <QuestionCard
          key={questionKey(question)}
          question={question}
          plan={view.plan}
          closed={closed}
        />
      ))}
      <StepList view={view} current={task} />
      <HandOff />
      <OtherRuns plan={view.plan} shown={view.run} newest={newest} />
      <p className="pw-hint">
        {words.run.panel.approvedRevision} <code>{shortRevision(view.revision)}</code>
        {view.upto && ` ${words.run.panel.upTo(view.upto)}`} · {view.sandbox}
      </p>
    </div>
  );
}

/** Copies the selected step as a brief for someone else. */
function HandOff() {
  const { task } = usePlace();
  const copyBrief = useCopyBrief();
  if (!task) return null;
  return (
    <section className={styles.handOver}>
      <p className="pw-hint">{words.run.brief.handOff(task)}</p>
      <Button size="compact-xs" variant="default" onClick={copyBrief}>
        {words.run.brief.copy}
      </Button>
    </section>
  );
}

interface OtherRunsProps {
  plan: string;
  shown: string;
  newest: string | null;
}

function OtherRuns({ plan, shown, newest }: OtherRunsProps) {
  const runs = useRunsOf(plan).data ?? [];
  const others = runs.filter((other) => other.run !== shown);
  if (others.length === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>{words.run.panel.otherRuns}</h3>
      <ul className={styles.steps}>
        {others.map((other) => (
          <li key={other.run}>
            <button
              type="button"
              className={styles.stepRow}
              onClick={() => setPlace({ run: other.run === newest ? null : other.run })}
            >
              <span className={styles.stepTitle}>
                {when(other.started_at_ms)} · {runStateLabel(other.state)}
              </span>
              <span className="pw-hint">
                {other.done}/{other.total}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
