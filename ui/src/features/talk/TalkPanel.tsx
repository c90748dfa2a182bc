/** The Talk tab: the goal, the plan as it was proposed, comments on it, what waits for an answer, and a field at the foot for the next word. */
import { useEffect, useRef } from "react";
import { useComments, useOutline, useStart } from "../../api/queries";
import { usePlace } from "../../app/place";
import { ErrorState, Loading } from "../../components/States";
import { QuestionCard } from "../run/cards/QuestionCard";
import { questionKey, useShownRun } from "../run/shown";
import { CommentRow } from "./CommentRow";
import { Composer } from "./Composer";
import { GoalSaid } from "./GoalSaid";
import { ProposalCard } from "./ProposalCard";
import styles from "./Talk.module.css";

export default function TalkPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const comments = useComments(plan);
  const { view } = useShownRun();
  const hasModel = useStart().data?.has_model ?? true;
  const end = useRef<HTMLDivElement>(null);
  const known = useRef<number | null>(null);
  const total = comments.data?.length;

  // A comment that was just added comes into view; those that were there do not move the page.
  useEffect(() => {
    if (total === undefined) return;
    if (known.current !== null && total > known.current) {
      end.current?.scrollIntoView({ block: "nearest" });
    }
    known.current = total;
  }, [total]);

  if (!plan || !outline) return <Loading label="Loading the talk" />;
  return (
    <div className={styles.talk}>
      <div className={styles.said}>
        <GoalSaid outline={outline} />
        <ProposalCard outline={outline} />
        {comments.isError ? (
          <ErrorState
            title="The comments cannot be read"
            error={comments.error}
            onRetry={() => void comments.refetch()}
          />
        ) : (
          comments.data?.map((comment) => (
            <CommentRow key={comment.id} plan={plan} comment={comment} now={outline.revision} />
          ))
        )}
        <div ref={end} />
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
            No model is set up, so nobody answers here: comments are kept with the plan, and go with
            “Request changes”.
          </p>
        )}
      </div>
      <Composer outline={outline} />
    </div>
  );
}
