/** A plan on paper: its head, requirements and every step. Hidden on screen. */
import type { Outline, Row } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { Rendered } from "../../components/Rendered";
import { badgeWord } from "../../components/Shield";
import { words } from "../../words";
import styles from "./Print.module.css";

const t = words.print;
const labels = words.outline.rows;

/** Number of digits of a revision that are shown. */
const shownDigits = 12;

export function PrintedPlan({ outline, rows }: { outline: Outline; rows: Row[] }) {
  const { title, path, revision, badge, done, total, requirements } = outline;
  return (
    <article className={styles.page} data-printed>
      <h1 className={styles.title}>{title || words.header.untitled}</h1>
      <p className={styles.facts}>
        {t.facts(
          path,
          revision.slice(0, shownDigits),
          `${badgeWord(badge.word)} ${badge.score}`,
          done,
          total,
        )}
      </p>
      {outline.intro_html && <Rendered html={outline.intro_html} />}
      {requirements.length > 0 && (
        <>
          <h2 className={styles.heading}>{t.requirements}</h2>
          <ul className="pw-list">
            {requirements.map((one) => (
              <li key={one.id}>
                <b>{one.id}</b> <Inline>{one.text}</Inline>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 className={styles.heading}>{t.steps}</h2>
      <ul className="pw-list">
        {rows.map((row) => (
          <PrintedRow key={row.index} row={row} />
        ))}
      </ul>
    </article>
  );
}

function PrintedRow({ row }: { row: Row }) {
  const kind = t.kinds[row.kind];
  const fields = [
    [
      labels.dependsOn,
      row.depends === null ? "" : row.depends.join(", ") || labels.dependsOnNothing,
    ],
    [labels.files, row.files.join(", ")],
    [labels.checks, row.verify.join(" · ")],
    [labels.covers, row.covers.join(", ")],
    [labels.options, row.options.map(({ label }) => label).join(" / ")],
  ].filter((field): field is [string, string] => Boolean(field[1]));
  return (
    <li className={styles.step} style={{ marginInlineStart: row.depth * 18 }}>
      <span className="pw-rigid" role="img" aria-label={row.done ? t.done : t.open}>
        {row.done ? "☑" : "☐"}
      </span>
      <div>
        <p className="pw-bold">
          <span className={styles.id}>{row.id}</span>{" "}
          <Inline>{row.title || labels.untitled}</Inline>
          {kind && <span className="pw-hint"> ({kind})</span>}
        </p>
        {row.summary && (
          <p>
            <Inline>{row.summary}</Inline>
          </p>
        )}
        {row.skipped !== null && <p>{labels.skipped(row.skipped)}</p>}
        {fields.map(([label, values]) => (
          <p key={label} className={styles.field}>
            {t.field(label, values)}
          </p>
        ))}
      </div>
    </li>
  );
}
