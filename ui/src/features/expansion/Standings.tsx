/** The plan before and after, in the same few numbers. The side behind the arrow follows what is chosen. */
import { IconArrowRight } from "@tabler/icons-react";
import type { Standing } from "../../api/bindings";
import { badgeWord, Shield } from "../../components/Shield";
import { count } from "../run/words";
import styles from "./Expansion.module.css";

interface StandingsProps {
  before: Standing;
  after: Standing;
  /** Whether `after` is of an earlier choice still. */
  isSettling: boolean;
}

export function Standings({ before, after, isSettling }: StandingsProps) {
  return (
    <div className={styles.standings}>
      <One title="Now" standing={before} />
      <IconArrowRight size={18} aria-hidden className={styles.arrow} />
      <div aria-busy={isSettling || undefined} className={styles.after}>
        <One title="With what is chosen" standing={after} />
        <p className="pw-sr" role="status">
          {isSettling
            ? ""
            : `With what is chosen: ${badgeWord(after.badge.word)} ${after.badge.score}, ${count(after.tasks, "task")}, risk ${after.risk}`}
        </p>
      </div>
    </div>
  );
}

function One({ title, standing }: { title: string; standing: Standing }) {
  return (
    <div className={styles.standing}>
      <p className={styles.caption}>{title}</p>
      <Shield badge={standing.badge} show="text" size={20} />
      <p className={styles.dim}>
        {count(standing.tasks, "task")} · risk {standing.risk} of 100
        {standing.is_too_thin && " · too thin"}
      </p>
    </div>
  );
}
