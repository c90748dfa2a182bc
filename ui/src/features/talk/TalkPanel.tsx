/** The Talk tab: the goal, the plan as it was proposed, what was said of it, and what waits for an answer. */
import { useComments, useOutline, useStart } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Loading } from "../../components/States";
import { QuestionCard } from "../run/cards/QuestionCard";
import { showPanel } from "../run/panel";
import { questionKey, useShownRun } from "../run/shown";
import { count } from "../run/words";
import { GoalSaid } from "./GoalSaid";
import { ProposalCard } from "./ProposalCard";
import styles from "./Talk.module.css";

export default function TalkPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const comments = useComments(plan);
  const { view } = useShownRun();
  const hasModel = useStart().data?.has_model ?? true;
  const open = comments.data?.filter((comment) => !comment.is_resolved).length ?? 0;

  if (!plan || !outline) return <Loading label="Loading the talk" />;
  return (
    <div className={styles.talk}>
      <div className={styles.said}>
        <GoalSaid outline={outline} />
        <ProposalCard outline={outline} />
        {open > 0 && (
          <p className={styles.dim}>
            {count(open, "open comment")} ·{" "}
            <button type="button" className={styles.link} onClick={() => showPanel("review")}>
              Review
            </button>
          </p>
        )}
        {view?.questions.map((question) => (
          <QuestionCard
            key={questionKey(question)}
            question={question}
            plan={plan}
            closed={
              view.is_elsewhere
                ? "Another window or terminal carries this run out: answer it there."
                : null
            }
          />
        ))}
        {!hasModel && (
          <p className={styles.dim}>
            No model is set up, so nobody answers here. Comments are kept with the plan, and go with
            “Request changes” or “Approve with notes”.
          </p>
        )}
      </div>
    </div>
  );
}
