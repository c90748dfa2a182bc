/** The Review tab: every comment on the plan where it belongs, what became of the words it is about, and a field for the next one. Comments are kept as they are typed; they change nothing by themselves. */
import { Button } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Comment } from "../../api/bindings";
import { useComments, useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { askApproval } from "../approve/open";
import { count } from "../run/words";
import { CommentRow } from "./CommentRow";
import { Composer } from "./Composer";
import styles from "./Review.module.css";

export default function ReviewPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const comments = useComments(plan);
  const [showsSettled, setShowsSettled] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const known = useRef<number | null>(null);
  const total = comments.data?.length;

  // A comment that was just added comes into view; those that were there do not move the page.
  useEffect(() => {
    if (total === undefined) return;
    if (known.current !== null && total > known.current)
      end.current?.scrollIntoView({ block: "nearest" });
    known.current = total;
  }, [total]);

  const groups = useMemo(
    () => byTask(comments.data ?? [], showsSettled),
    [comments.data, showsSettled],
  );
  if (!plan || !outline) return <Loading label="Loading the comments" />;
  const settled = (comments.data ?? []).filter((one) => one.is_resolved).length;
  const unsent = (comments.data ?? []).filter((one) => !one.is_sent && !one.is_resolved).length;
  return (
    <div className={styles.review}>
      <div className={styles.said}>
        {comments.isError ? (
          <ErrorState
            title="The comments cannot be read"
            error={comments.error}
            onRetry={() => void comments.refetch()}
          />
        ) : !comments.data ? (
          <Loading lines={3} label="Loading the comments" />
        ) : groups.length === 0 ? (
          <EmptyState title={settled > 0 ? "Every comment is settled" : "No comments yet"}>
            Mark words in the plan, or select a step, and say what should be otherwise.
          </EmptyState>
        ) : (
          groups.map((group) => (
            <section key={group.key} aria-label={group.title}>
              <h3 className={styles.about}>
                {group.task && <code>{group.task}</code>}
                <bdi>{group.task ? group.title : "The whole plan"}</bdi>
              </h3>
              {group.comments.map((comment) => (
                <CommentRow
                  key={comment.id}
                  plan={plan}
                  comment={comment}
                  now={outline.revision}
                  isWritable={outline.is_writable}
                />
              ))}
            </section>
          ))
        )}
        <div ref={end} />
        {settled > 0 && (
          <button
            type="button"
            className={styles.link}
            aria-expanded={showsSettled}
            onClick={() => setShowsSettled(!showsSettled)}
          >
            {showsSettled ? "Hide" : "Show"} {count(settled, "settled comment")}
          </button>
        )}
      </div>
      <Composer outline={outline} />
      {unsent > 0 && (
        <div className={styles.give}>
          <span className={styles.dim}>{count(unsent, "comment")} not sent</span>
          <Button
            size="compact-xs"
            variant="light"
            disabled={!outline.is_writable}
            onClick={() => askApproval("notes")}
          >
            Approve with notes…
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => askApproval("changes")}>
            Request changes…
          </Button>
        </div>
      )}
    </div>
  );
}

interface Group {
  key: string;
  task: string | null;
  title: string;
  comments: Comment[];
}

/** Comments by the step they stand at now, in the order in which each was first spoken of; the plan as a whole comes first. */
export function byTask(comments: Comment[], withSettled: boolean): Group[] {
  const groups = new Map<string, Group>();
  for (const comment of comments) {
    if (comment.is_resolved && !withSettled) continue;
    const key = comment.task ?? "";
    const group = groups.get(key) ?? {
      key,
      task: comment.task,
      title: comment.task_title ?? comment.task ?? "The whole plan",
      comments: [],
    };
    group.comments.push(comment);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (one, other) => Number(one.key !== "") - Number(other.key !== ""),
  );
}
