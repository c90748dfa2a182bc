/** The steps that an approval lets run, each with what it does; the ones that will not run, with the reason; and those that the gate holds. */
import type { ApprovalView } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Effects } from "../../components/Effects";
import { Inline } from "../../components/Inline";
import { count } from "../run/words";
import styles from "./Approve.module.css";

interface StepsProps {
  view: ApprovalView;
  /** The command that steps without calls are handed over to. */
  handOver: string | null;
  /** Whether the approval starts a run. */
  isRun: boolean;
}

/** The verb of a step that a person does: a command that it is handed over to does not wait. */
const waits = "waits for you";

export function Steps({ view, handOver, isRun }: StepsProps) {
  const happens =
    isRun && view.not_runnable === null
      ? "WILL RUN"
      : isRun
        ? "CANNOT RUN"
        : "APPROVED, NOT RUN NOW";
  return (
    <section>
      <h3 className={styles.caption} hidden={view.step_count === 0}>
        {view.step_count} {view.step_count === 1 ? "STEP" : "STEPS"} {happens}
      </h3>
      {view.steps.length === 0 ? (
        <p>No open steps.</p>
      ) : (
        <ul className={styles.steps} aria-label="Steps in this approval" tabIndex={0}>
          {view.steps.map((step) => (
            <li key={step.task} className={styles.step}>
              <div className={styles.stepHead}>
                <span className={styles.id}>{step.task}</span>
                <span className={styles.title} dir="auto">
                  <Inline>{step.title}</Inline>
                </span>
                {handOver && step.is_free ? (
                  <Chip tone="accent" title="Handed over to this command of your settings">
                    {handOver}
                  </Chip>
                ) : (
                  step.by === "person" && <Chip tone="yours">yours</Chip>
                )}
              </div>
              <Effects
                effects={step.effects.filter(
                  (effect) => !(handOver && step.is_free && effect.verb === waits),
                )}
              />
            </li>
          ))}
        </ul>
      )}
      {view.step_count > view.steps.length && (
        <p className={styles.dim}>
          {count(view.step_count - view.steps.length, "more step")} approved too; see the outline.
        </p>
      )}
      {view.left_out.length > 0 && <LeftOut view={view} />}
    </section>
  );
}

function LeftOut({ view }: { view: ApprovalView }) {
  const more = view.left_out_count - view.left_out.length;
  return (
    <details className={styles.leftOut}>
      <summary>{count(view.left_out_count, "step")} will not run</summary>
      <ul className={styles.list}>
        {view.left_out.map((step) => (
          <li key={step.task} dir="auto">
            <span className={styles.id}>{step.task}</span> <Inline>{step.title}</Inline>
            <span className={styles.dim}> · {step.reason}</span>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </details>
  );
}

export function Blocked({ view }: { view: ApprovalView }) {
  if (view.blocked.length === 0) return null;
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>{count(view.blocked.length, "step")} blocked</p>
      <ul className={styles.list}>
        {view.blocked.map((step) => (
          <li key={step.task} dir="auto">
            {!step.messages[0]?.startsWith(step.task) && (
              <span className={styles.id}>{step.task} </span>
            )}
            <Inline>{step.messages.join(" ")}</Inline>
          </li>
        ))}
      </ul>
    </div>
  );
}
