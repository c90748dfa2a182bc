/** The Run tab: what the run does now, what waits, how it stands, and the runs before it. */
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import type { RunView } from "../../api/bindings";
import { useRun, useRunStep, useRunsOf } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { askApproval } from "../approve/open";
import { QuestionCard } from "./cards/QuestionCard";
import { RunBanner } from "./RunBanner";
import { RunHead, useCurrent } from "./RunHead";
import styles from "./RunPanel.module.css";
import { StepList } from "./StepList";
import { StepView } from "./StepView";
import { goesOn, questionKey, useShownRun } from "./shown";
import { useCopyBrief } from "./useCopyBrief";
import { Ways } from "./Ways";
import { runStateWords, when } from "./words";

export default function RunPanel() {
  const { run, newest, view } = useShownRun();
  const query = useRun(run);
  if (run === null) return <NoRun />;
  if (query.isError) {
    return (
      <ErrorState
        title="The run cannot be shown"
        error={query.error}
        onRetry={() => void query.refetch()}
      >
        {run !== newest && (
          <Button variant="default" onClick={() => setPlace({ run: null })}>
            Show the newest run
          </Button>
        )}
      </ErrorState>
    );
  }
  if (!view) return <Loading label="Loading the run" />;
  return <OneRun view={view} newest={newest} />;
}

function NoRun() {
  return (
    <>
      <EmptyState icon={<IconPlayerPlay size={26} />} title="Nothing has run yet">
        <p>
          Approve the plan to run it. What each step does, what it prints and what it asks you will
          be shown here.
        </p>
        <Button mt="sm" variant="default" onClick={() => askApproval("run")}>
          Approve and run…
        </Button>
      </EmptyState>
      <div className={styles.panel}>
        <HandOver />
      </div>
    </>
  );
}

function OneRun({ view, newest }: { view: RunView; newest: string | null }) {
  const current = useCurrent(view);
  const task = current?.task ?? view.questions[0]?.task ?? null;
  const step = useRunStep(view.run, task).data;
  const closed = view.is_elsewhere
    ? "This run is in another window or terminal. Answer there."
    : null;
  // Its card lays the ways out itself.
  const hasFailed = view.questions.some((one) => one.task === task && one.kind === "failure");
  return (
    <div className={styles.panel}>
      <RunHead view={view} model={step?.model ?? null} />
      <RunBanner view={view} newest={newest} />
      {step && (goesOn(view) || view.questions.length > 0) && (
        <>
          <StepView step={step} discoveries={current?.discoveries} isSaid={hasFailed} />
          {step.model && !hasFailed && (
            <Ways
              plan={view.plan}
              run={view.run}
              task={step.task}
              ways={step.model.ways}
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
      <HandOver />
      <EarlierRuns plan={view.plan} shown={view.run} newest={newest} />
      <p className={styles.facts}>
        Approved revision <code>{view.revision.slice(0, 12)}</code>
        {view.upto && ` up to ${view.upto}`} · {view.sandbox}
      </p>
    </div>
  );
}

/** The selected step as a brief for somebody else. */
function HandOver() {
  const { task } = usePlace();
  const copyBrief = useCopyBrief();
  if (!task) return null;
  return (
    <section className={styles.handOver}>
      <p className={styles.facts}>Hand off {task} with a self-contained brief.</p>
      <Button size="compact-xs" variant="default" onClick={copyBrief}>
        Copy as brief
      </Button>
    </section>
  );
}

interface EarlierRunsProps {
  plan: string;
  shown: string;
  newest: string | null;
}

function EarlierRuns({ plan, shown, newest }: EarlierRunsProps) {
  const runs = useRunsOf(plan).data ?? [];
  const others = runs.filter((other) => other.run !== shown);
  if (others.length === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>OTHER RUNS</h3>
      <ul className={styles.steps}>
        {others.map((other) => (
          <li key={other.run}>
            <button
              type="button"
              className={styles.stepRow}
              onClick={() => setPlace({ run: other.run === newest ? null : other.run })}
            >
              <span className={styles.stepTitle}>
                {when(other.started_at_ms)} · {runStateWords(other.state)}
              </span>
              <span className={styles.facts}>
                {other.done}/{other.total}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
