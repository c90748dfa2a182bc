/** A small stacked bar, and the swatch for its legend. It only repeats numbers shown beside it. */
import styles from "./PartsBar.module.css";

/** The meaning of a part, which determines its color. */
export type PartTone = "good" | "warn" | "risk" | "plain";

interface Part {
  id: string;
  tone: PartTone;
  value: number;
}

interface PartsBarProps {
  parts: Part[];
  /** The value for which the bar has its full width. */
  most: number;
  /** The width of the bar in pixels. */
  width: number;
}

export function PartsBar({ parts, most, width }: PartsBarProps) {
  let x = 0;
  return (
    <svg width={width} height={14} className={styles.bar} aria-hidden>
      {parts.map(({ id, tone, value }) => {
        const part = (width * value) / most;
        const from = x;
        x += part;
        return part > 0 ? (
          <rect
            key={id}
            data-tone={tone}
            x={from}
            y={1}
            // The gap separates parts without relying on color.
            width={Math.max(1, part - 1)}
            height={12}
            rx={2}
          />
        ) : null;
      })}
    </svg>
  );
}

export function PartSwatch({ tone }: { tone: PartTone }) {
  return <span className={styles.swatch} data-tone={tone} aria-hidden />;
}
