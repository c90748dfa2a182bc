/** What is odd about the plan's file: it cannot be written, or parts of it read otherwise than they may be meant. */
import type { Outline } from "../../api/bindings";
import styles from "./PlanHead.module.css";

interface PlanNoticesProps {
  outline: Outline;
  onTask: (task: string) => void;
}

export function PlanNotices({ outline, onTask }: PlanNoticesProps) {
  const { problems, is_writable: isWritable } = outline;
  if (isWritable && problems.length === 0) return null;
  return (
    <section className={styles.notices} aria-label="About the file">
      {!isWritable && (
        <p>
          <strong>This file cannot be written</strong>, so the plan can only be read. Make the file
          and its folder writable, or save a copy elsewhere and open that.
        </p>
      )}
      {problems.length > 0 && (
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
      )}
    </section>
  );
}
