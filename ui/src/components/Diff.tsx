/** Lines of a diff with line numbers and signs. Color only repeats the sign. */
import { words } from "../words";
import styles from "./Diff.module.css";

/** One line of a diff; compatible with the backend's `DiffLine`. */
export interface DiffRow {
  kind: string;
  old?: number | null;
  new?: number | null;
  text: string;
}

const { kinds } = words.components.diff;
const signs: Record<string, string> = { added: "+", removed: "-", same: " " };

interface DiffProps {
  lines: DiffRow[];
  label: string;
  /** Maximum number of visible lines; longer diffs scroll. */
  height?: number;
}

export function Diff({ lines, label, height = 24 }: DiffProps) {
  return (
    <div
      className={styles.diff}
      style={{ maxHeight: `${height * 18 + 10}px` }}
      tabIndex={0}
      role="group"
      aria-label={label}
      dir="ltr"
    >
      {lines.map((line, at) =>
        line.kind === "gap" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a diff is drawn once and never reordered
          <div key={at} className={styles.gap}>
            ⋯
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a diff is drawn once and never reordered
          <div key={at} className={styles.line} data-kind={line.kind}>
            <span className={styles.number} aria-hidden>
              {line.new ?? line.old ?? ""}
            </span>
            <span className={styles.sign} aria-hidden>
              {signs[line.kind] ?? " "}
            </span>
            {kinds[line.kind] && <span className="pw-sr">{kinds[line.kind]}: </span>}
            <span className="pw-exact pw-break pw-slim">{line.text || " "}</span>
          </div>
        ),
      )}
    </div>
  );
}
