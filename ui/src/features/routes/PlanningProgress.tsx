/** A plan in the making: what is tried and how it went, what is done now, and the two ways to end it. */
import { Button } from "@mantine/core";
import { useMemo } from "react";
import { usePlanning, usePlanningSteps } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { Kbd } from "../../components/Kbd";
import { count } from "../run/words";
import styles from "./PlanningProgress.module.css";
import { RouteSteps } from "./RouteSteps";

interface PlanningProgressProps {
  job: string;
  isCancelled: boolean;
  hasEnough: boolean;
  onCancel: () => void;
  /** Ends the trying; what there is becomes the plan. */
  onEnough: () => void;
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
          title: "Cancel planning",
          group: "Plan",
          keys: cancelKeys,
          inFields: true,
          when: () => !isCancelled,
          run: onCancel,
        },
        {
          id: "planning.enough",
          title: "Use what you have",
          group: "Plan",
          keys: enoughKeys,
          inFields: true,
          when: () => !isEnding,
          run: onEnough,
        },
      ],
      [isCancelled, isEnding, onCancel, onEnough],
    ),
  );
  const phase = isCancelled
    ? "Cancelling"
    : hasEnough
      ? "Using what there is"
      : (planning?.phase ?? "Starting");
  const counted = [
    planning && planning.files > 0 && `${count(planning.files, "file")} read`,
    planning && planning.said > 0 && `${count(planning.said, "character")} said`,
  ].filter(Boolean);

  return (
    <section className={styles.progress} aria-label="Planning">
      <div className={styles.head}>
        <span className={styles.phase}>
          {/* Told when it becomes something else; what is counted beside it would never be still. */}
          <span role="status">{phase}</span>
          {counted.length > 0 && <span className={styles.dim}> · {counted.join(" · ")}</span>}
        </span>
        <span className={styles.ways}>
          <Button
            variant="default"
            size="xs"
            rightSection={<Kbd keys={enoughKeys} small hidden />}
            onClick={onEnough}
            disabled={isEnding}
          >
            Use what you have
          </Button>
          <Button
            variant="default"
            size="xs"
            rightSection={<Kbd keys={cancelKeys} small hidden />}
            onClick={onCancel}
            disabled={isCancelled}
          >
            Cancel
          </Button>
        </span>
      </div>
      {steps.length > 0 && <RouteSteps steps={steps} label="What is tried" />}
    </section>
  );
}
