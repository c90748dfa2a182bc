/** What is otherwise than it was when this plan was approved last: the changed steps, ticks of the app apart, with the lines on demand; and the run that a new one would take the place of. */
import type { Comparison, RunView } from "../../api/bindings";
import { useCompare, useRun } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { Inline } from "../../components/Inline";
import { count, runStateWords, shortRevision } from "../run/words";
import styles from "./Approve.module.css";

/** What the app writes itself while a run goes on. */
const ownKinds = ["done", "reopened", "skipped"];

/** States of a run that is closed when another one is approved. */
const replaced = ["waiting", "paused", "failed", "stopped", "not_covered"];

interface SinceProps {
  plan: string;
  revision: string;
  /** The newest run of the plan. */
  run: string | null;
  isRun: boolean;
}

export function Since({ plan, revision, run, isRun }: SinceProps) {
  const last = useRun(run).data;
  const before = last && last.revision !== revision ? last.revision : null;
  const compared = useCompare(plan, before, revision).data;
  return (
    <>
      {isRun && last && <Replaced last={last} />}
      {before && compared && <Changed compared={compared} before={before} />}
    </>
  );
}

function Replaced({ last }: { last: RunView }) {
  if (last.is_live || !last.can_resume || !replaced.includes(last.state)) return null;
  return (
    <div className={styles.notice}>
      <p className={styles.noticeTitle}>A run of this plan is open</p>
      <p className={styles.dim}>
        {runStateWords(last.state)}, {last.done}/{last.total} steps. A new run closes it; finished
        steps that did not change stay done.
      </p>
    </div>
  );
}

function Changed({ compared, before }: { compared: Comparison; before: string }) {
  const steps = compared.tasks.filter((task) => !ownKinds.includes(task.kind));
  const changes = steps.length + compared.around.length + compared.more_tasks;
  if (changes === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>CHANGED SINCE THE LAST APPROVAL</h3>
      <ul className={styles.list}>
        {compared.around.map((part) => (
          <li key={part.name} dir="auto">
            <Inline>{part.name}</Inline>
          </li>
        ))}
        {steps.map((task) => (
          <li key={task.id} dir="auto">
            <span className={styles.id}>{task.id}</span> <Inline>{task.title}</Inline>
            <span className={styles.dim}> · {[task.kind, ...task.notes].join(", ")}</span>
          </li>
        ))}
        {compared.more_tasks > 0 && <li>{count(compared.more_tasks, "more step")}</li>}
      </ul>
      <details className={styles.leftOut}>
        <summary>
          Lines changed since revision <code>{shortRevision(before)}</code>
        </summary>
        <div className={styles.frame}>
          <Diff lines={compared.lines} label="Lines changed since the last approval" height={14} />
        </div>
      </details>
    </section>
  );
}
