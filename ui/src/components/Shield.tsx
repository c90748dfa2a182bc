/** The badge of a plan: a shield with its word and number. Colour repeats what the word says and never stands alone; it is never a ring, which would read as progress. */
import { IconShieldCheckFilled, IconShieldFilled, IconShieldHalfFilled } from "@tabler/icons-react";
import styles from "./Shield.module.css";

/** What the shield needs of a badge; the wire type `Badge` fits. */
export interface ShieldBadge {
  word: string;
  score: number;
}

const words: Record<string, string> = {
  empty: "Empty",
  outline: "Outline",
  thin: "Thin",
  overgrown: "Overgrown",
  fair: "Fair",
  adequate: "Adequate",
};

export function badgeWord(word: string): string {
  return words[word] ?? word;
}

interface ShieldProps {
  badge: ShieldBadge | null | undefined;
  /** `icon`: the shield alone, named for screen readers. `text`: with word and number. `pill`: the same in a coloured pill. */
  show?: "icon" | "text" | "pill";
  size?: number;
}

export function Shield({ badge, show = "icon", size = 18 }: ShieldProps) {
  const tone = badge?.word ?? "empty";
  const label = badge ? `${badgeWord(badge.word)} · ${badge.score}` : "Not read";
  const Icon =
    tone === "thin" || tone === "overgrown" || tone === "outline"
      ? IconShieldHalfFilled
      : tone === "empty"
        ? IconShieldFilled
        : IconShieldCheckFilled;
  if (show === "icon") {
    return (
      <span className={styles.icon} data-tone={tone} role="img" aria-label={label}>
        <Icon size={size} aria-hidden />
      </span>
    );
  }
  return (
    <span className={show === "pill" ? styles.pill : styles.text} data-tone={tone}>
      <span className={styles.icon} data-tone={tone}>
        <Icon size={size} aria-hidden />
      </span>
      {label}
    </span>
  );
}
