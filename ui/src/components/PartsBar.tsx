/** A small bar of parts beside each other, and the swatch that names a part at the head of its column. It repeats numbers that stand beside it: nothing is said by it alone. */
import styles from "./PartsBar.module.css";

/** Which colour a part has. */
export type PartTone = "good" | "warn" | "risk" | "plain";

interface Part {
  id: string;
  tone: PartTone;
  value: number;
}

interface PartsBarProps {
  parts: Part[];
  /** What a bar of the whole width stands for. */
  most: number;
  /** In pixels. */
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

export function PartSwatch({ tone }: { tone: PartTone }) {
  return <span className={styles.swatch} data-tone={tone} aria-hidden />;
}
