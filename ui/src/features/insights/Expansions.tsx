/** A table of expansions: score before and after as a line and as numbers, steps, accepted changes, and outcome. */
import type { InsightExpansion } from "../../api/bindings";
import { openPlan } from "../../app/place";
import { when } from "../../lib/time";
import { words } from "../../words";
import styles from "./Insights.module.css";

const width = 120;
const inset = 6;

const xOf = (score: number) =>
  inset + ((width - 2 * inset) * Math.max(0, Math.min(100, score))) / 100;

const { expansions: text, columns } = words.insights;

/** `stopped_budget` as "stopped budget", or the reason if there is one. */
function outcomeText(status: string, reason: string): string {
  const outcome = reason && reason !== "none" ? reason : status;
  return outcome.replaceAll("_", " ");
}

export function Expansions({ expansions }: { expansions: InsightExpansion[] }) {
  return (
    <div className={styles.scroll} role="group" aria-label={text.label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.when}</th>
            <th scope="col">{columns.plan}</th>
            <th scope="col">{columns.scoreRange}</th>
            <th scope="col" data-number>
              {columns.steps}
            </th>
            <th scope="col" data-number>
              {columns.accepted}
            </th>
            <th scope="col" data-number>
              {columns.rounds}
            </th>
            <th scope="col">{columns.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {expansions.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an expansion has no id
            <tr key={`${one.plan} ${one.at_ms} ${at}`}>
              <td>{when(one.at_ms)}</td>
              <td>
                <button type="button" className={styles.link} onClick={() => openPlan(one.plan)}>
                  <bdi>{one.path}</bdi>
                </button>
              </td>
              <td>
                <span className="pw-inline pw-gap-10 pw-numbers">
                  <svg width={width} height={16} aria-hidden>
                    <line className={styles.grid} x1={inset} x2={width - inset} y1={8} y2={8} />
                    <line
                      className={styles.way}
                      data-better={one.score_after > one.score_before || undefined}
                      x1={xOf(one.score_before)}
                      x2={xOf(one.score_after)}
                      y1={8}
                      y2={8}
                    />
                    <circle className={styles.start} cx={xOf(one.score_before)} cy={8} r={3.5} />
                    <circle
                      className={styles.end}
                      data-better={one.score_after > one.score_before || undefined}
                      cx={xOf(one.score_after)}
                      cy={8}
                      r={4.5}
                    />
                  </svg>
                  <span>
                    {one.score_before} → {one.score_after}
                  </span>
                </span>
              </td>
              <td data-number>
                {one.tasks_before} → {one.tasks_after}
              </td>
              <td data-number>{text.accepted(one.accepted, one.offered)}</td>
              <td data-number>{one.rounds}</td>
              <td>
                {outcomeText(one.status, one.stop_reason)}
                {!one.improved && `, ${text.noImprovement}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
