/** What a person should know about the plan's file: it belongs to another program, it cannot be written, it has no tasks yet, or parts of it read otherwise than they may be meant. */
import { Button } from "@mantine/core";
import type { Outline } from "../../api/bindings";
import { useCopyPlan } from "../../api/mutations";
import { openPlan, usePlace } from "../../app/place";
import styles from "./PlanHead.module.css";
import { askShape } from "./ShapeDialog";

interface PlanNoticesProps {
  outline: Outline;
  onTask: (task: string) => void;
}

export function PlanNotices({ outline, onTask }: PlanNoticesProps) {
  const { problems, is_writable: isWritable } = outline;
  return (
    <>
      {!isWritable && <ReadOnly outline={outline} />}
      {isWritable && outline.rows === 0 && <CouldBeTasks outline={outline} />}
      {problems.length > 0 && (
        <section className={styles.notices} aria-label="What reads oddly">
          <details>
            <summary>
              {problems.length === 1
                ? "One thing in the file reads oddly"
                : `${problems.length} things in the file read oddly`}
            </summary>
            <ul>
              {problems.map((problem) => (
                <li key={`${problem.line} ${problem.code} ${problem.message}`}>
                  {problem.task && (
                    <>
                      <button
                        type="button"
                        className={styles.jump}
                        onClick={() => problem.task && onTask(problem.task)}
                      >
                        {problem.task}
                      </button>
                      {" · "}
                    </>
                  )}
                  line {problem.line}: <bdi>{problem.message}</bdi>
                </li>
              ))}
            </ul>
          </details>
        </section>
      )}
    </>
  );
}

function ReadOnly({ outline }: { outline: Outline }) {
  const { workspace } = usePlace();
  const copy = useCopyPlan();
  return (
    <section className={styles.notices} aria-label="About the file">
      <p>
        <strong>This plan can only be read.</strong>{" "}
        <span dir="auto">
          {outline.read_only ?? "Make the file and its folder writable to change it."}
        </span>
      </p>
      {outline.is_foreign && workspace && (
        <div className={styles.ways}>
          <Button
            size="compact-xs"
            variant="light"
            loading={copy.isPending}
            onClick={() =>
              copy.mutate(
                { plan: outline.plan, workspace },
                { onSuccess: (made) => openPlan(made.plan) },
              )
            }
          >
            Copy into this workspace
          </Button>
        </div>
      )}
    </section>
  );
}

/** A plan of prose alone: what of it could become steps. */
function CouldBeTasks({ outline }: { outline: Outline }) {
  const { items, headings } = outline.could_be_tasks;
  if (items + headings === 0) return null;
  return (
    <section className={styles.notices} aria-label="Make tasks">
      <p>
        <strong>No task items yet.</strong> A task is a list item with a box, <code>- [ ]</code>.
        What is written here can become some; you see every line before it changes.
      </p>
      <div className={styles.ways}>
        {items > 0 && (
          <Button size="compact-xs" variant="light" onClick={() => askShape("items")}>
            Make tasks from {items === 1 ? "1 list item" : `${items} list items`}…
          </Button>
        )}
        {headings > 0 && (
          <Button size="compact-xs" variant="light" onClick={() => askShape("headings")}>
            Make tasks from {headings === 1 ? "1 heading" : `${headings} headings`}…
          </Button>
        )}
      </div>
    </section>
  );
}
