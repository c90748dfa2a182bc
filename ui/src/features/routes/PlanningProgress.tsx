/** Progress while a plan is made: the current phase, the attempts so far, and buttons to cancel or to use the best plan so far. */
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { usePlanning, usePlanningSteps } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { words } from "../../words";
import styles from "./PlanningProgress.module.css";
import { RouteSteps } from "./RouteSteps";

const text = words.routes.progress;

interface PlanningProgressProps {
  job: string;
  isCancelled: boolean;
  hasEnough: boolean;
  onCancel: () => void;
  /** Stops planning and keeps the best plan so far; `null` if there can be none. */
  onEnough: (() => void) | null;
}

const cancelKeys = "mod+shift+x";
const enoughKeys = "mod+u";

export function PlanningProgress(props: PlanningProgressProps) {
  const { job, isCancelled, hasEnough, onCancel, onEnough } = props;
  const planning = usePlanning(job);
  const steps = usePlanningSteps(job) ?? [];
  const isEnding = isCancelled || hasEnough;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "planning.cancel",
          title: text.cancelAction,
          group: "plan",
          keys: cancelKeys,
          inFields: true,
          when: () => !isCancelled,
          run: onCancel,
        },
        {
          id: "planning.enough",
          title: text.enough,
          group: "plan",
          keys: enoughKeys,
          inFields: true,
          when: () => !isEnding && onEnough !== null,
          run: () => onEnough?.(),
        },
      ],
      [isCancelled, isEnding, onCancel, onEnough],
    ),
  );
  const phase = isCancelled
    ? text.cancelling
    : hasEnough
      ? text.usingBest
      : (planning?.phase ?? text.starting);
  const counted = [
    planning && planning.files > 0 && text.filesRead(planning.files),
    planning && planning.said > 0 && text.received(planning.said),
  ].filter(Boolean);

  return (
    <section className={styles.progress} aria-label={text.label}>
      <div className={styles.head}>
        <span className={styles.phase}>
          {/* Only the phase is announced; the counts beside it change all the time. */}
          <span role="status">{phase}</span>
          {counted.length > 0 && (
            <span className="pw-hint pw-numbers"> · {counted.join(" · ")}</span>
          )}
        </span>
        <span className="pw-chips pw-gap-8">
          {onEnough && (
            <Button
              variant="default"
              size="xs"
              rightSection={<Kbd keys={enoughKeys} small hidden />}
              onClick={onEnough}
              disabled={isEnding}
            >
              {text.enough}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            rightSection={<Kbd keys={cancelKeys} small hidden />}
            onClick={onCancel}
            disabled={isCancelled}
          >
            {text.cancel}
          </Button>
        </span>
      </div>
      {steps.length > 0 && <RouteSteps steps={steps} label={words.routes.attempts} />}
    </section>
  );
}
