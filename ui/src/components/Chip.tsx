/** A small rounded label for requirements, marks, evidence and counts. The tone only repeats what the text says. */
import type { ReactNode } from "react";
import styles from "./Chip.module.css";

export type Tone = "plain" | "good" | "warn" | "risk" | "bad" | "yours" | "accent" | "outline";

interface ChipProps {
  tone?: Tone;
  icon?: ReactNode;
  title?: string;
  children: ReactNode;
}

export function Chip({ tone = "plain", icon, title, children }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone} title={title}>
      {icon}
      <span className="pw-cut">{children}</span>
    </span>
  );
}

/** A number in a circle. `label` says what is counted, for screen readers. */
export function Count({ value, label }: { value: number; label: string }) {
  return (
    <span className={styles.count}>
      <span aria-hidden>{value > 99 ? "99+" : value}</span>
      <span className="pw-sr">{label}</span>
    </span>
  );
}
