/** The score breakdown: the four dimensions, what each was credited for, the biggest possible gain, and the deductions. */
import type { FindingsReport, ScoreDimension, ScoreMissing } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { showLine } from "../source/showLine";
import styles from "./Findings.module.css";
import { setExplained } from "./view";

interface ScoreReasonsProps {
  report: FindingsReport;
  isOpen: boolean;
}

export function ScoreReasons({ report, isOpen }: ScoreReasonsProps) {
  const { badge, dimensions, missing } = report;
  const lowered = report.reasons.filter(({ points }) => points > 0);
  return (
    <>
      <dl className={styles.dimensions} aria-label={text.label}>
        {dimensions.map((dimension) => (
          <Dimension key={dimension.name} dimension={dimension} isExplained={isOpen} />
        ))}
      </dl>
      {missing && missing.points > 0 && (
        <p className={styles.most}>
          <strong>{text.biggestGain(missing.points)}</strong> <Advice missing={missing} />
        </p>
      )}
      <details
        className={styles.why}
        open={isOpen}
        onToggle={(event) => {
          if (event.currentTarget.open !== isOpen) setExplained(event.currentTarget.open);
        }}
      >
        <summary>{text.why(badge.score)}</summary>
        {lowered.length > 0 && (
          <>
            <h3 className={styles.whyHead}>{text.deductions}</h3>
            <ul className={styles.reasons} aria-label={text.deductions}>
              {lowered.map((reason) => (
                <li key={reason.code} title={reason.code}>
                  <span className={styles.points} data-raised>
                    {text.deduction(reason.points)}
                  </span>
                  <bdi>
                    <Inline>{reason.message}</Inline>
                  </bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className={styles.whyNone}>{text.multiplied}</p>
      </details>
    </>
  );
}

const text = words.findings.score;

function Dimension({
  dimension,
  isExplained,
}: {
  dimension: ScoreDimension;
  isExplained: boolean;
}) {
  const { name, share, credited, missing } = dimension;
  return (
    <div className={styles.dimension} title={isExplained ? undefined : credited}>
      <dt>{text.dimensions[name] ?? name}</dt>
      <dd>
        <span className={styles.track} aria-hidden>
          <span style={{ inlineSize: `${share ?? 0}%` }} />
        </span>
        <span className={styles.share}>
          {share ?? (
            <>
              <span className="pw-sr">{text.unknown}</span>
              <span aria-hidden>–</span>
            </>
          )}
        </span>
      </dd>
      {isExplained && (
        <dd className={styles.credited}>
          <bdi>
            <Inline>{credited}</Inline>
          </bdi>{" "}
          {missing && <Advice missing={missing} />}
        </dd>
      )}
    </div>
  );
}

function Advice({ missing: { line, message } }: { missing: ScoreMissing }) {
  if (line === null) {
    return (
      <bdi>
        <Inline>{message}</Inline>
      </bdi>
    );
  }
  return (
    <button type="button" className={styles.advice} onClick={() => showLine(line)}>
      <bdi>
        <Inline>{message}</Inline>
      </bdi>
    </button>
  );
}
