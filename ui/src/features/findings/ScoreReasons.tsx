/** What the number is made of: what lowered it, and what holds it up. */
import type { FindingsReport } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import styles from "./Findings.module.css";
import { codeWords, setExplained } from "./view";

interface ScoreReasonsProps {
  report: FindingsReport;
  isOpen: boolean;
}

export function ScoreReasons({ report, isOpen }: ScoreReasonsProps) {
  const { badge, reasons } = report;
  const lowered = reasons.filter((reason) => reason.is_raised);
  const holding = reasons.filter((reason) => !reason.is_raised);
  const some = lowered.some(({ points }) => points > 0);
  return (
    <details
      className={styles.why}
      open={isOpen}
      onToggle={(event) => {
        if (event.currentTarget.open !== isOpen) setExplained(event.currentTarget.open);
      }}
    >
      <summary>Why {badge.score}?</summary>
      <h3 className={styles.whyHead}>What lowered it</h3>
      {lowered.length === 0 ? (
        <p className={styles.whyNone}>Nothing: it begins at 100 and no reason takes from it.</p>
      ) : (
        <ul className={styles.reasons} aria-label="What lowered the number">
          {lowered.map((reason) => (
            <li key={reason.code} title={reason.code}>
              <span className={styles.points} data-raised>
                {reason.points > 0 ? `−${reason.points}` : "0"}
              </span>
              <bdi>
                <Inline>{reason.message || codeWords(reason.code)}</Inline>
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {lowered.length > 1 && some && (
        <p className={styles.whyNone}>
          Each takes its part of what the others leave, so together they cost less than their sum.
        </p>
      )}
      {holding.length > 0 && (
        <>
          <h3 className={styles.whyHead}>What holds it up</h3>
          <ul className={styles.reasons} aria-label="What holds the number up">
            {holding.map((reason) => (
              <li key={reason.code} title={reason.code}>
                <span className={styles.points}>
                  <span className="pw-sr">would cost </span>
                  {reason.points}
                </span>
                <bdi>
                  <Inline>{reason.message || codeWords(reason.code)}</Inline>
                </bdi>
              </li>
            ))}
          </ul>
          <p className={styles.whyNone}>The numbers here are what losing each would cost.</p>
        </>
      )}
    </details>
  );
}
