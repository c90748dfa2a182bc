/** The plan's badge, steps and risk before and after the selected changes. */
import { IconArrowRight } from "@tabler/icons-react";
import type { Standing } from "../../api/bindings";
import { badgeWord, Shield } from "../../components/Shield";
import { words } from "../../words";
import styles from "./Expansion.module.css";

const text = words.expansion.standing;

interface StandingsProps {
  before: Standing;
  after: Standing;
  /** Whether `after` still belongs to an earlier selection. */
  isSettling: boolean;
}

export function Standings({ before, after, isSettling }: StandingsProps) {
  return (
    <div className={styles.standings}>
      <One title={text.before} standing={before} />
      <IconArrowRight size={18} aria-hidden className="pw-dim pw-rigid" />
      <div aria-busy={isSettling || undefined} className={styles.after}>
        <One title={text.after} standing={after} />
        <p className="pw-sr" role="status">
          {isSettling
            ? ""
            : text.announced(
                badgeWord(after.badge.word),
                after.badge.score,
                after.tasks,
                after.risk,
              )}
        </p>
      </div>
    </div>
  );
}

function One({ title, standing }: { title: string; standing: Standing }) {
  return (
    <div className={styles.standing}>
      <p className="pw-caption">{title}</p>
      <Shield badge={standing.badge} show="text" size={20} />
      <p className={styles.dim}>
        {text.numbers(standing.tasks, standing.risk)}
        {standing.is_too_thin && ` · ${text.tooThin}`}
      </p>
    </div>
  );
}
