/** A strip above the plan that says which agent is waiting for a decision on it. The buttons for the decision are in the bar. */
import { IconRobot } from "@tabler/icons-react";
import { useWaitingReview } from "../../api/queries";
import { words } from "../../words";
import styles from "./AgentStrip.module.css";

export function AgentStrip({ plan }: { plan: string }) {
  const review = useWaitingReview(plan).data;
  if (!review) return null;
  return (
    <div className={styles.strip} role="status">
      <IconRobot size={17} aria-hidden className="pw-rigid" />
      <p dir="auto">{words.approve.agent.strip(review.agent)}</p>
    </div>
  );
}
