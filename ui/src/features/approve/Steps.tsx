/** The steps that an approval lets run, each with the files it may change and the commands it runs, whole; and those that the gate holds. */
import type { ApprovalView } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { Exact } from "../../components/Exact";
import { Inline } from "../../components/Inline";
import { count } from "../run/words";
import styles from "./Approve.module.css";

interface StepsProps {
  view: ApprovalView;
  /** The command that steps without calls are handed over to. */
  handOver: string | null;
}

export function Steps({ view, handOver }: StepsProps) {
  return (
    <section>
      <h3 className={styles.caption}>
        {view.step_count === 1 ? "THE STEP THAT WILL RUN" : `${view.step_count} STEPS WILL RUN`}
      </h3>
      {view.steps.length === 0 ? (
        <p>No open step is left to run.</p>
      ) : (
        <ul className={styles.steps} aria-label="Steps that will run" tabIndex={0}>
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
              {step.files.length + step.commands.length > 0 && (
                <ul className={styles.bytes}>
                  {step.files.map((file) => (
                    <li key={`file:${file}`} className={styles.byte}>
                      <span className={styles.what}>changes</span>
                      <span className={styles.value}>
                        <Exact>{file}</Exact>
                      </span>
                    </li>
                  ))}
                  {step.commands.map((command, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a command can stand twice
                    <li key={`run:${at}`} className={styles.byte}>
                      <span className={styles.what}>runs</span>
                      <span className={styles.value}>
                        <Exact>{command}</Exact>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
      {view.step_count > view.steps.length && (
        <p className={styles.dim}>
          {count(view.step_count - view.steps.length, "further step")} of this revision are approved
          too; the outline shows them.
        </p>
      )}
    </section>
  );
}

export function Blocked({ view }: { view: ApprovalView }) {
  if (view.blocked.length === 0) return null;
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>
        The quality gate holds {count(view.blocked.length, "step")}
      </p>
      <ul className={styles.list}>
        {view.blocked.map((step) => (
          <li key={step.task} dir="auto">
            <span className={styles.id}>{step.task}</span> {step.messages.join(" ")}
          </li>
        ))}
      </ul>
    </div>
  );
}
