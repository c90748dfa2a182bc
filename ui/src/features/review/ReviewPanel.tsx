/** The Review tab: the plan's comments by step, and a field for a new one. Drafts are saved while typing. Comments don't change the plan by themselves. */
import { Button } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Comment } from "../../api/bindings";
import { useComments, useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import { CommentRow } from "./CommentRow";
import { Composer } from "./Composer";
import styles from "./Review.module.css";

const texts = words.review.panel;

export default function ReviewPanel() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const comments = useComments(plan);
  const [showsResolved, setShowsResolved] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const known = useRef<number | null>(null);
  const total = comments.data?.length;

  // Scrolls to a new comment, but not to those that already existed.
  useEffect(() => {
    if (total === undefined) return;
    if (known.current !== null && total > known.current)
      end.current?.scrollIntoView({ block: "nearest" });
    known.current = total;
  }, [total]);

  const groups = useMemo(
    () => byTask(comments.data ?? [], showsResolved),
    [comments.data, showsResolved],
  );
  if (!plan || !outline) return <Loading label={texts.loading} />;
  const resolved = (comments.data ?? []).filter((one) => one.is_resolved).length;
  const unsent = (comments.data ?? []).filter((one) => !one.is_sent && !one.is_resolved).length;
  return (
    <div className={styles.review}>
      <div className={styles.said}>
        {comments.isError ? (
          <ErrorState
            title={texts.failed}
            error={comments.error}
            onRetry={() => void comments.refetch()}
          />
        ) : !comments.data ? (
          <Loading lines={3} label={texts.loading} />
        ) : groups.length === 0 ? (
          <EmptyState title={resolved > 0 ? texts.allResolved : texts.emptyTitle}>
            {texts.empty}
          </EmptyState>
        ) : (
          groups.map((group) => (
            <section key={group.key} aria-label={group.title}>
              <h3 className={styles.about}>
                {group.task && <code>{group.task}</code>}
                <bdi>{group.task ? group.title : words.review.wholePlan}</bdi>
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
        {resolved > 0 && (
          <button
            type="button"
            className={styles.link}
            aria-expanded={showsResolved}
            onClick={() => setShowsResolved(!showsResolved)}
          >
            {showsResolved ? texts.hideResolved(resolved) : texts.showResolved(resolved)}
          </button>
        )}
      </div>
      <Composer outline={outline} />
      {unsent > 0 && (
        <div className={styles.give}>
          <span className="pw-hint">{words.review.unsent(unsent)}</span>
          <Button
            size="compact-xs"
            variant="light"
            disabled={!outline.is_writable}
            onClick={() => askApproval("notes")}
          >
            {texts.approveWithNotes}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => askApproval("changes")}>
            {texts.requestChanges}
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

/** Comments by their current step, in order of the first comment on each; the whole plan comes first. */
export function byTask(comments: Comment[], withResolved: boolean): Group[] {
  const groups = new Map<string, Group>();
  for (const comment of comments) {
    if (comment.is_resolved && !withResolved) continue;
    const key = comment.task ?? "";
    const group = groups.get(key) ?? {
      key,
      task: comment.task,
      title: comment.task_title ?? comment.task ?? words.review.wholePlan,
      comments: [],
    };
    group.comments.push(comment);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (one, other) => Number(one.key !== "") - Number(other.key !== ""),
  );
}
