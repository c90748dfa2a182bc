/** The steps that were begun, each with its state and time; one opens to what it did. Failed ones can be tried again or left out. */
import { Button, Textarea } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { RecoveryWay, RunStepSummary, RunView } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { useRunStep } from "../../api/queries";
import { Chip, type Tone } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { ErrorState, Loading } from "../../components/States";
import styles from "./RunPanel.module.css";
import { StepView } from "./StepView";
import { Ways } from "./Ways";
import { count, duration, stepStateWords } from "./words";

const tones: Record<string, Tone> = {
  done: "good",
  failed: "bad",
  refused: "bad",
  unverified: "warn",
  interrupted: "bad",
  waiting: "warn",
  running: "accent",
};

/** States of a run in which its steps can be steered one by one. */
const canSteer = ["running", "waiting", "paused", "failed"];

export function StepList({ view, current }: { view: RunView; current: string | null }) {
  const [opened, setOpened] = useState<string | null>(null);
  if (view.steps.length === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>STEPS OF THIS RUN</h3>
      <ul className={styles.steps}>
        {view.steps.map((step) => (
          <li key={step.task}>
            <button
              type="button"
              className={styles.stepRow}
              aria-expanded={opened === step.task}
              aria-current={step.task === current ? "step" : undefined}
              onClick={() => setOpened(opened === step.task ? null : step.task)}
            >
              {opened === step.task ? (
                <IconChevronDown size={13} aria-hidden />
              ) : (
                <IconChevronRight size={13} aria-hidden />
              )}
              <span className={styles.id}>{step.task}</span>
              <span className={styles.stepTitle} dir="auto">
                <Inline>{step.title}</Inline>
              </span>
              <Chip tone={tones[step.state] ?? "plain"}>{stepStateWords(step.state)}</Chip>
            </button>
            {opened === step.task && <OpenStep view={view} step={step} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenStep({ view, step }: { view: RunView; step: RunStepSummary }) {
  const whole = useRunStep(view.run, step.task);
  return (
    <div className={styles.openStep}>
      <p className={styles.facts}>
        {duration(step.work_ms)} active · {count(step.changes, "file")} changed
      </p>
      {whole.isError ? (
        <ErrorState
          title="The step cannot be shown"
          error={whole.error}
          onRetry={() => void whole.refetch()}
        />
      ) : whole.data ? (
        <StepView step={whole.data} />
      ) : (
        <Loading lines={2} />
      )}
      {canSteer.includes(view.state) && !view.is_elsewhere && (
        <Steering
          run={view.run}
          step={step}
          plan={view.plan}
          ways={whole.data?.model?.ways ?? []}
        />
      )}
    </div>
  );
}

interface SteeringProps {
  run: string;
  step: RunStepSummary;
  plan: string;
  ways: RecoveryWay[];
}

function Steering({ run, step, plan, ways }: SteeringProps) {
  const steer = useSteer();
  const [reason, setReason] = useState<string | null>(null);
  const isFailed = step.state === "failed" || step.state === "refused";
  const isOpen = isFailed || step.state === "waiting" || step.state === "running";
  if (!isOpen) return null;
  if (ways.length > 0) {
    return <Ways plan={plan} run={run} task={step.task} ways={ways} closed={null} />;
  }
  const words = (reason ?? "").trim();
  return (
    <>
      {reason !== null && (
        <Textarea
          size="xs"
          autosize
          label={`Reason for skipping ${step.task}`}
          description="Saved in the plan file."
          required
          dir="auto"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <div className={styles.buttons}>
        {isFailed && (
          <Button
            size="compact-xs"
            variant="default"
            loading={steer.isPending}
            onClick={() => steer.mutate({ run, steering: { action: "retry", task: step.task } })}
          >
            Retry {step.task}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-disabled={reason !== null && !words}
          data-disabled={(reason !== null && !words) || undefined}
          onClick={() => {
            if (reason === null) setReason("");
            else if (words)
              steer.mutate(
                { run, steering: { action: "skip", task: step.task, reason: words } },
                { onSuccess: () => setReason(null) },
              );
          }}
        >
          {reason === null ? `Skip ${step.task}…` : `Skip ${step.task}`}
        </Button>
      </div>
    </>
  );
}
