/** A table of findings by kind: how many were fixed, muted, overridden, or are open. The bars repeat the numbers. */
import type { InsightFinding } from "../../api/bindings";
import { PartSwatch, PartsBar } from "../../components/PartsBar";
import { words } from "../../words";
import styles from "./Insights.module.css";

const text = words.insights.findings;

const parts = [
  { id: "fixed", title: text.fixed, tone: "good" },
  { id: "muted", title: text.muted, tone: "plain" },
  { id: "overridden", title: text.overridden, tone: "risk" },
  { id: "open", title: text.open, tone: "warn" },
] as const;

const width = 160;

const sum = (one: InsightFinding) => one.fixed + one.muted + one.overridden + one.open;

export function FindingBars({ findings }: { findings: InsightFinding[] }) {
  const most = Math.max(1, ...findings.map(sum));
  return (
    <div className={styles.scroll} role="group" aria-label={text.label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{words.insights.columns.kind}</th>
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
