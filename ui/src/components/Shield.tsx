/** A plan's badge: a shield with a word and a score. Color only repeats the word. It is never a ring, which would look like progress. */
import { IconShieldCheckFilled, IconShieldFilled, IconShieldHalfFilled } from "@tabler/icons-react";
import { words } from "../words";
import styles from "./Shield.module.css";

/** The fields of `Badge` that the shield needs. */
export interface ShieldBadge {
  word: string;
  score: number;
}

export function badgeWord(word: string): string {
  return words.components.shield.badges[word] ?? word;
}

interface ShieldProps {
  badge: ShieldBadge | null | undefined;
  /** `icon`: only the shield, with a name for screen readers. `text`: with word and score. `pill`: the same in a colored pill. */
  show?: "icon" | "text" | "pill";
  size?: number;
}

export function Shield({ badge, show = "icon", size = 18 }: ShieldProps) {
  const tone = badge?.word ?? "empty";
  const label = badge ? `${badgeWord(badge.word)} · ${badge.score}` : words.components.shield.none;
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
