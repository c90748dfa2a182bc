/** Notices about the plan's file: it is read-only, has no steps yet, or has problems. */
import { Button } from "@mantine/core";
import type { Outline } from "../../api/bindings";
import { useCopyPlan } from "../../api/mutations";
import { openPlan, usePlace } from "../../app/place";
import { words } from "../../words";
import { requestConversion } from "./ConvertDialog";
import styles from "./PlanHead.module.css";

interface PlanNoticesProps {
  outline: Outline;
  onTask: (task: string) => void;
}

const t = words.outline.notices;

export function PlanNotices({ outline, onTask }: PlanNoticesProps) {
  const { problems, is_writable: isWritable } = outline;
  return (
    <>
      {!isWritable && <ReadOnly outline={outline} />}
      {isWritable && outline.rows === 0 && <NoSteps outline={outline} />}
      {problems.length > 0 && (
        <section className={styles.notices} aria-label={t.problemsLabel}>
          <details>
            <summary>{t.problems(problems.length)}</summary>
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
                  {t.problemLine(problem.line)} <bdi>{problem.message}</bdi>
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
    <section className={styles.notices} aria-label={t.readOnlyLabel}>
      <p>
        <strong>{t.readOnly}</strong> <span dir="auto">{outline.read_only ?? t.readOnlyHint}</span>
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
            {t.copyToWorkspace}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A plan without steps: offers to create them from its list items or headings. */
function NoSteps({ outline }: { outline: Outline }) {
  const { items, headings } = outline.could_be_tasks;
  if (items + headings === 0) return null;
  return (
    <section className={styles.notices} aria-label={t.noStepsLabel}>
      <p>
        <strong>{t.noSteps}</strong> {t.noStepsHint}
      </p>
      <div className={styles.ways}>
        {items > 0 && (
          <Button size="compact-xs" variant="light" onClick={() => requestConversion("items")}>
            {t.fromItems(items)}
          </Button>
        )}
        {headings > 0 && (
          <Button size="compact-xs" variant="light" onClick={() => requestConversion("headings")}>
            {t.fromHeadings(headings)}
          </Button>
        )}
      </div>
    </section>
  );
}
