/** The steps that have started, each with its state; a step can be expanded to show its activity. A failed step can be retried or skipped. */
import { Button, Textarea } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { RecoveryWay, RunStepSummary, RunView } from "../../api/bindings";
import { useSteer } from "../../api/mutations";
import { useRunStep } from "../../api/queries";
import { Chip, type Tone } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { ErrorState, Loading } from "../../components/States";
import { duration } from "../../lib/time";
import { words } from "../../words";
import { stepStateLabel } from "./labels";
import { Recovery } from "./Recovery";
import styles from "./RunPanel.module.css";
import { StepView } from "./StepView";

const tones: Record<string, Tone> = {
  done: "good",
  failed: "bad",
  refused: "bad",
  unverified: "warn",
  interrupted: "bad",
  waiting: "warn",
  running: "accent",
};

/** States of a run in which its steps can be retried or skipped one by one. */
const steerableStates = ["running", "waiting", "paused", "failed"];

export function StepList({ view, current }: { view: RunView; current: string | null }) {
  const [opened, setOpened] = useState<string | null>(null);
  if (view.steps.length === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>{words.run.steps.title}</h3>
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
              <Chip tone={tones[step.state] ?? "plain"}>{stepStateLabel(step.state)}</Chip>
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
      <p className="pw-hint">
        {words.run.steps.activeTime(duration(step.work_ms))} ·{" "}
        {words.run.steps.filesChanged(step.changes)}
      </p>
      {whole.isError ? (
        <ErrorState
          title={words.run.steps.errorTitle}
          error={whole.error}
          onRetry={() => void whole.refetch()}
        />
      ) : whole.data ? (
        <StepView step={whole.data} />
      ) : (
        <Loading lines={2} />
      )}
      {steerableStates.includes(view.state) && !view.is_elsewhere && (
        <Steering
          run={view.run}
          step={step}
          plan={view.plan}
          options={whole.data?.model?.ways ?? []}
        />
      )}
    </div>
  );
}

interface SteeringProps {
  run: string;
  step: RunStepSummary;
  plan: string;
  options: RecoveryWay[];
}

function Steering({ run, step, plan, options }: SteeringProps) {
  const steer = useSteer();
  const [reason, setReason] = useState<string | null>(null);
  const isFailed = step.state === "failed" || step.state === "refused";
  const isOpen = isFailed || step.state === "waiting" || step.state === "running";
  if (!isOpen) return null;
  if (options.length > 0) {
    return <Recovery plan={plan} run={run} task={step.task} options={options} closed={null} />;
  }
  const given = (reason ?? "").trim();
  return (
    <>
      {reason !== null && (
        <Textarea
          size="xs"
          autosize
          label={words.runCards.skip.reason(step.task)}
          description={words.runCards.skip.reasonHint}
          required
          dir="auto"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      <div className="pw-chips pw-gap-8">
        {isFailed && (
          <Button
            size="compact-xs"
            variant="default"
            loading={steer.isPending}
            onClick={() => steer.mutate({ run, steering: { action: "retry", task: step.task } })}
          >
            {words.runCards.card.retry(step.task)}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-disabled={reason !== null && !given}
          data-disabled={(reason !== null && !given) || undefined}
          onClick={() => {
            if (reason === null) setReason("");
            else if (given)
              steer.mutate(
                { run, steering: { action: "skip", task: step.task, reason: given } },
                { onSuccess: () => setReason(null) },
              );
          }}
        >
          {reason === null
            ? words.runCards.skip.ask(step.task)
            : words.runCards.skip.skip(step.task)}
        </Button>
      </div>
    </>
  );
}
