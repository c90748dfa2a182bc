/** Changes since the last approval: the changed steps, without the ticks that the app itself wrote, with the changed lines on demand; and the open run that a new run would close. */
import type { Comparison, RunView } from "../../api/bindings";
import { useCompare, useRun } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { Inline } from "../../components/Inline";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { runStateLabel } from "../run/labels";
import styles from "./Approve.module.css";

const w = words.approve.since;

/** Changes that the app itself writes during a run. */
const ownKinds = ["done", "reopened", "skipped"];

/** States of a run that is closed when a new run is approved. */
const closedStates = ["waiting", "paused", "failed", "stopped", "not_covered"];

interface SinceLastApprovalProps {
  plan: string;
  revision: string;
  /** The newest run of the plan. */
  run: string | null;
  isRun: boolean;
}

export function SinceLastApproval({ plan, revision, run, isRun }: SinceLastApprovalProps) {
  const last = useRun(run).data;
  const before = last && last.revision !== revision ? last.revision : null;
  const compared = useCompare(plan, before, revision).data;
  return (
    <>
      {isRun && last && <OpenRun last={last} />}
      {before && compared && <Changed compared={compared} before={before} />}
    </>
  );
}

function OpenRun({ last }: { last: RunView }) {
  if (last.is_live || !last.can_resume || !closedStates.includes(last.state)) return null;
  return (
    <div className={styles.notice}>
      <p className={styles.noticeTitle}>{w.openRun}</p>
      <p className="pw-hint">{w.openRunState(runStateLabel(last.state), last.done, last.total)}</p>
    </div>
  );
}

function Changed({ compared, before }: { compared: Comparison; before: string }) {
  const steps = compared.tasks.filter((task) => !ownKinds.includes(task.kind));
  const changes = steps.length + compared.around.length + compared.more_tasks;
  if (changes === 0) return null;
  return (
    <section>
      <h3 className={styles.caption}>{w.heading}</h3>
      <ul className={styles.list}>
        {compared.around.map((part) => (
          <li key={part.name} dir="auto">
            <Inline>{part.name}</Inline>
          </li>
        ))}
        {steps.map((task) => (
          <li key={task.id} dir="auto">
            <span className={styles.id}>{task.id}</span> <Inline>{task.title}</Inline>
            <span className="pw-hint"> · {[task.kind, ...task.notes].join(", ")}</span>
          </li>
        ))}
        {compared.more_tasks > 0 && <li>{w.more(compared.more_tasks)}</li>}
      </ul>
      <details className={styles.leftOut}>
        <summary>{w.lines(<code>{shortRevision(before)}</code>)}</summary>
        <div className="pw-frame pw-clip">
          <Diff lines={compared.lines} label={w.linesLabel} height={14} />
        </div>
      </details>
    </section>
  );
}
