/** The number of approvals, and how long plans were on screen before they were approved. For information only; nothing depends on it. */
import type { InsightApprovals } from "../../api/bindings";
import { words } from "../../words";
import { took } from "../routes/routeText";
import styles from "./Insights.module.css";

/** Minimum number of timed approvals for a meaningful figure. */
const minTimed = 3;

const text = words.insights.approvals;

export function Approvals({ approvals }: { approvals: InsightApprovals }) {
  const { given, timed, usual_ms, quick, quick_lately } = approvals;
  if (given === 0) return <p className={styles.dim}>{text.empty}</p>;
  if (timed === 0 || usual_ms === null) return <p>{text.untimed(given)}</p>;
  return (
    <>
      <p>
        {text.count(given)}{" "}
        {timed === 1 ? text.oneTimed(took(usual_ms)) : text.timed(timed, took(usual_ms), quick)}
      </p>
      {timed >= minTimed && quick_lately > 0 && (
        <p className={styles.dim}>{text.quick(quick_lately, Math.min(timed, 10))}</p>
      )}
    </>
  );
}
