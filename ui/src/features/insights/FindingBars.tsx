/** What people do about each kind of finding: mended, muted, overridden, or left open. The bar repeats the numbers. */
import type { InsightFinding } from "../../api/bindings";
import { PartSwatch, PartsBar } from "../../components/PartsBar";
import styles from "./Insights.module.css";

const parts = [
  { id: "fixed", title: "Fixed", tone: "good" },
  { id: "muted", title: "Muted", tone: "plain" },
  { id: "overridden", title: "Overridden", tone: "risk" },
  { id: "open", title: "Open", tone: "warn" },
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
            {parts.map(({ id, title, tone }) => (
              <th key={id} scope="col" data-number>
                <PartSwatch tone={tone} />
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
                <PartsBar
                  parts={parts.map(({ id, tone }) => ({ id, tone, value: one[id] }))}
                  most={most}
                  width={width}
                />
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
