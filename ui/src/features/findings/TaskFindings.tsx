/** The findings of one step, in its open card. Renders nothing if there are none. */
import type { Outline } from "../../api/bindings";
import { useFindings } from "../../api/queries";
import { words } from "../../words";
import { showLine } from "../source/showLine";
import { FindingRow } from "./FindingRow";
import styles from "./Findings.module.css";
import { useFindingActions } from "./useFindingActions";

export function TaskFindings({ outline, task }: { outline: Outline; task: string }) {
  const report = useFindings(outline.plan, outline.revision).data;
  const { actions, dialogs } = useFindingActions(outline);
  const found = report?.findings.filter((one) => one.task === task && one.muted === null) ?? [];
  return (
    <>
      {found.length > 0 && (
        <section className={styles.ofTask} aria-label={words.findings.ofStep(task)}>
          <ul className="pw-list pw-column pw-gap-10">
            {found.map((finding) => (
              <FindingRow
                key={finding.id}
                finding={finding}
                isCurrent
                onShow={() => showLine(finding.line)}
                {...actions}
              />
            ))}
          </ul>
        </section>
      )}
      {dialogs}
    </>
  );
}
