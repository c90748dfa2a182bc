/** What the number is made of: the four dimensions with what each was credited for, what would add most, and what took from it. */
import type { FindingsReport, ScoreDimension, ScoreMissing } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { showLine } from "../source/asked";
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
      <dl className={styles.dimensions} aria-label="What the number is made of">
        {dimensions.map((dimension) => (
          <Dimension key={dimension.name} dimension={dimension} isExplained={isOpen} />
        ))}
      </dl>
      {missing && missing.points > 0 && (
        <p className={styles.most}>
          <strong>Would add most, {missing.points} points:</strong> <Advice missing={missing} />
        </p>
      )}
      <details
        className={styles.why}
        open={isOpen}
        onToggle={(event) => {
          if (event.currentTarget.open !== isOpen) setExplained(event.currentTarget.open);
        }}
      >
        <summary>Why {badge.score}?</summary>
        {lowered.length > 0 && (
          <>
            <h3 className={styles.whyHead}>What took from it</h3>
            <ul className={styles.reasons} aria-label="What took from the number">
              {lowered.map((reason) => (
                <li key={reason.code} title={reason.code}>
                  <span className={styles.points} data-raised>
                    −{reason.points} %
                  </span>
                  <bdi>
                    <Inline>{reason.message}</Inline>
                  </bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        <p className={styles.whyNone}>
          The four are multiplied, so none makes up for another that is empty.
        </p>
      </details>
    </>
  );
}

const names: Record<string, string> = {
  coverage: "Coverage",
  substance: "Substance",
  checks: "Checks",
  order: "Order",
};

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
      <dt>{names[name] ?? name}</dt>
      <dd>
        <span className={styles.track} aria-hidden>
          <span style={{ inlineSize: `${share ?? 0}%` }} />
        </span>
        <span className={styles.share}>
          {share ?? (
            <>
              <span className="pw-sr">not known</span>
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
