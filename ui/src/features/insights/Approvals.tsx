/** Whether approvals are still read: how many were given, and how long each was on screen before. Shown to the person alone; nothing hangs on it. */
import type { InsightApprovals } from "../../api/bindings";
import { took } from "../routes/words";
import { count } from "../run/words";
import styles from "./Insights.module.css";

/** Fewer approvals are no habit. */
const few = 3;

export function Approvals({ approvals }: { approvals: InsightApprovals }) {
  const { given, timed, usual_ms, quick, quick_lately } = approvals;
  if (given === 0) return <p className={styles.dim}>Nothing was approved yet.</p>;
  if (timed === 0 || usual_ms === null)
    return (
      <p>
        {count(given, "approval")}, none of them in the window, so how long each was on screen is
        not known.
      </p>
    );
  return (
    <>
      <p>
        {count(given, "approval")}.{" "}
        {timed === 1
          ? `One of the window, on screen for ${took(usual_ms)}.`
          : `Of ${timed} in the window half were on screen for less than ${took(usual_ms)}, and ${quick} for less than two seconds.`}
      </p>
      {timed >= few && quick_lately > 0 && (
        <p className={styles.dim}>
          {quick_lately} of the last {Math.min(timed, 10)} took less than two seconds: nobody reads
          a plan in that time.
        </p>
      )}
    </>
  );
}
