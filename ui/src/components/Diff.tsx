/** Lines of a diff with their numbers and signs; the sign says what the colour repeats. */
import styles from "./Diff.module.css";

/** One line; the wire type `DiffLine` fits. */
export interface DiffRow {
  kind: string;
  old?: number | null;
  new?: number | null;
  text: string;
}

const signs: Record<string, string> = { added: "+", removed: "-", same: " " };
const words: Record<string, string> = { added: "added", removed: "removed" };

interface DiffProps {
  lines: DiffRow[];
  label: string;
  /** Lines shown before it scrolls. */
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
            {words[line.kind] && <span className="pw-sr">{words[line.kind]}: </span>}
            <span className={styles.text}>{line.text || " "}</span>
          </div>
        ),
      )}
    </div>
  );
}
