/** What people do about each kind of finding: mended, muted, overridden, or left open. The bar repeats the numbers. */
import type { InsightFinding } from "../../api/bindings";
import styles from "./Insights.module.css";

const parts = [
  { id: "fixed", title: "Fixed" },
  { id: "muted", title: "Muted" },
  { id: "overridden", title: "Overridden" },
  { id: "open", title: "Open" },
] as const;

const width = 160;

const sum = (one: InsightFinding) => one.fixed + one.muted + one.overridden + one.open;

export function FindingBars({ findings }: { findings: InsightFinding[] }) {
  const most = Math.max(1, ...findings.map(sum));
  return (
    <div className={styles.scroll} role="group" aria-label="Findings by kind" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <td aria-hidden />
            {parts.map(({ id, title }) => (
              <th key={id} scope="col" data-number>
                <span className={styles.swatch} data-part={id} aria-hidden />
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {findings.map((one) => (
            <tr key={one.code}>
              <th scope="row">
                <code>{one.code}</code>
              </th>
              <td aria-hidden>
                <Bar finding={one} most={most} />
              </td>
              {parts.map(({ id }) => (
                <td key={id} data-number data-none={one[id] === 0 || undefined}>
                  {one[id]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ finding, most }: { finding: InsightFinding; most: number }) {
  let x = 0;
  return (
    <svg width={width} height={14} className={styles.bar} aria-hidden>
      {parts.map(({ id }) => {
        const part = (width * finding[id]) / most;
        const from = x;
        x += part;
        return part > 0 ? (
          <rect
            key={id}
            data-part={id}
            x={from}
            y={1}
            // A gap keeps neighbours apart without colour.
            width={Math.max(1, part - 1)}
            height={12}
            rx={2}
          />
        ) : null;
      })}
    </svg>
  );
}
