/** The findings of one step, in its open card. Draws nothing where nothing was found. */
import type { Outline } from "../../api/bindings";
import { useFindings } from "../../api/queries";
import { showLine } from "../source/asked";
import { FindingRow } from "./FindingRow";
import styles from "./Findings.module.css";
import { useFindingDoing } from "./useFindingDoing";

export function TaskFindings({ outline, task }: { outline: Outline; task: string }) {
  const report = useFindings(outline.plan, outline.revision).data;
  const { doing, dialogs } = useFindingDoing(outline);
  const found = report?.findings.filter((one) => one.task === task && one.muted === null) ?? [];
  return (
    <>
      {found.length > 0 && (
        <section className={styles.ofTask} aria-label={`Findings on ${task}`}>
          <ul className={styles.list}>
            {found.map((finding) => (
              <FindingRow
                key={finding.id}
                finding={finding}
                isCurrent
                onShow={() => showLine(finding.line)}
                {...doing}
              />
            ))}
          </ul>
        </section>
      )}
      {dialogs}
    </>
  );
}
