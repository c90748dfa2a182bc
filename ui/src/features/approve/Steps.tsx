/** The steps that an approval would allow to run, each with its effects; the steps that will not run, each with the reason; and the steps that the quality gate blocks. */
import type { ApprovalView, StepEffect } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Effects } from "../../components/Effects";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import styles from "./Approve.module.css";

const w = words.approve.steps;

interface StepsProps {
  view: ApprovalView;
  /** Who does the steps without calls: a command in a run, or the agent that waits for the approval. */
  handOver: string | null;
  /** Whether the approval starts a run. */
  isRun: boolean;
}

/** Whether an effect is waiting for a person. A step that is handed over to a command has no such effect. */
const isWaiting = ({ verb }: StepEffect) => verb.startsWith("waits");

export function Steps({ view, handOver, isRun }: StepsProps) {
  const heading =
    isRun && view.not_runnable === null ? w.willRun : isRun ? w.cannotRun : w.notRunNow;
  return (
    <section>
      <h3 className={styles.caption} hidden={view.step_count === 0}>
        {heading(view.step_count)}
      </h3>
      {view.steps.length === 0 ? (
        <p>{w.none}</p>
      ) : (
        <ul className={styles.steps} aria-label={w.label} tabIndex={0}>
          {view.steps.map((step) => (
            <li key={step.task} className={styles.step}>
              <div className="pw-line pw-gap-8">
                <span className={styles.id}>{step.task}</span>
                <span className="pw-fill pw-bold pw-isolate" dir="auto">
                  <Inline>{step.title}</Inline>
                </span>
                {handOver && step.is_free ? (
                  <Chip tone="accent" title={isRun ? w.handedOver : w.byAgent}>
                    {handOver}
                  </Chip>
                ) : (
                  step.by === "person" && <Chip tone="yours">{w.yours}</Chip>
                )}
              </div>
              <Effects
                effects={step.effects.filter(
                  (effect) => !(handOver && step.is_free && isWaiting(effect)),
                )}
              />
            </li>
          ))}
        </ul>
      )}
      {view.step_count > view.steps.length && (
        <p className="pw-hint">{w.more(view.step_count - view.steps.length)}</p>
      )}
      {view.left_out.length > 0 && <Skipped view={view} />}
    </section>
  );
}

function Skipped({ view }: { view: ApprovalView }) {
  const more = view.left_out_count - view.left_out.length;
  return (
    <details className={styles.leftOut}>
      <summary>{w.skipped(view.left_out_count)}</summary>
      <ul className={styles.list}>
        {view.left_out.map((step) => (
          <li key={step.task} dir="auto">
            <span className={styles.id}>{step.task}</span> <Inline>{step.title}</Inline>
            <span className="pw-hint"> · {step.reason}</span>
          </li>
        ))}
        {more > 0 && <li>{w.andMore(more)}</li>}
      </ul>
    </details>
  );
}

export function Blocked({ view }: { view: ApprovalView }) {
  if (view.blocked.length === 0) return null;
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>{w.blocked(view.blocked.length)}</p>
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
