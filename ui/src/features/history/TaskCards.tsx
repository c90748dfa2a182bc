/** The changes between two revisions, by step and outside the steps. */
import type { Comparison, PartChange, TaskChange } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { words } from "../../words";
import styles from "./Cards.module.css";
import { kindTone, partName } from "./format";
import { WordRuns } from "./WordRuns";

const text = words.history.changes;

interface TaskCardsProps {
  comparison: Comparison;
  /** Shows a step of the current plan; absent if another revision is shown. */
  onTask?: (task: string) => void;
}

export function TaskCards({ comparison, onTask }: TaskCardsProps) {
  const { tasks, around, more_tasks: more, unchanged } = comparison;
  return (
    <div className={styles.cards}>
      {tasks.length > 0 && (
        <ul className={styles.list} aria-label={text.steps}>
          {tasks.map((change) => (
            <li key={`${change.kind} ${change.id}`} className={styles.card} data-kind={change.kind}>
              <TaskCard change={change} onTask={onTask} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.note}>{text.moreSteps(more)}</p>}
      {around.length > 0 && (
        <ul className={styles.list} aria-label={text.around}>
          {around.map((part) => (
            <li key={part.name} className={styles.card}>
              <div className={styles.head}>
                <span className={styles.kind}>
                  <Chip tone="warn">{text.changed}</Chip>
                </span>
                <span className={styles.title}>{partName(part.name)}</span>
              </div>
              <p className={styles.part}>
                <WordRuns words={part.words} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {unchanged > 0 && (
        <div className={styles.card}>
          <div className={styles.head}>
            <span className={styles.kind}>
              <Chip>{text.unchanged}</Chip>
            </span>
            <span className="pw-hint pw-mono pw-rigid">{text.unchangedSteps(unchanged)}</span>
          </div>
        </div>
      )}
    </div>
  );
}

function TaskCard({ change, onTask }: { change: TaskChange; onTask?: (task: string) => void }) {
  const { id, kind, notes, parts } = change;
  const title = parts.find((part) => part.name === "title");
  const others = parts.filter((part) => part !== title);
  const canGo = onTask !== undefined && kind !== "removed";
  return (
    <>
      <div className={styles.head}>
        <span className={styles.kind}>
          <Chip tone={kindTone(kind)}>{text.kinds[kind] ?? kind}</Chip>
        </span>
        {canGo ? (
          <button
            type="button"
            className={styles.id}
            aria-label={text.showInOutline(id)}
            onClick={() => onTask(id)}
          >
            {id}
          </button>
        ) : (
          <span className={styles.id}>{id}</span>
        )}
        <span className={styles.title} dir="auto">
          {title ? <WordRuns words={title.words} /> : change.title}
        </span>
      </div>
      {notes.length > 0 && <p className={styles.notes}>{notes.join(" · ")}</p>}
      {others.map((part) => (
        <OnePart key={part.name} part={part} />
      ))}
    </>
  );
}

function OnePart({ part }: { part: PartChange }) {
  return (
    <div className={styles.part}>
      <p className={styles.partName}>{partName(part.name)}</p>
      <WordRuns words={part.words} />
    </div>
  );
}
