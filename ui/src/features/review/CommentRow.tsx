/** One comment: the words it is about and where they stand now, when it was made, whether it was sent. While it is not, it can be reworded and deleted; any can be settled. */
import { Button, Textarea } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import type { Comment } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import {
  useAcceptComment,
  useDeleteComment,
  useEditComment,
  useResolveComment,
} from "../../api/mutations";
import { Chip } from "../../components/Chip";
import { showTask } from "../outline/showTask";
import { shortRevision, when } from "../run/words";
import styles from "./Review.module.css";

interface CommentRowProps {
  plan: string;
  comment: Comment;
  /** The plan's revision now. */
  now: string;
  isWritable: boolean;
}

const anchorWords = {
  here: null,
  moved: "these words have moved",
  lost: "these words are not in the plan any more",
} as const;

export function CommentRow({ plan, comment, now, isWritable }: CommentRowProps) {
  const field = useDraft(plan, `comment-edit/${comment.id}`, comment.text);
  const [isOpen, setOpen] = useState(false);
  const edit = useEditComment();
  const remove = useDeleteComment();
  const resolve = useResolveComment();
  const accept = useAcceptComment();
  const isReplace = comment.kind === "replace";
  const anchor = comment.quote ? anchorWords[comment.anchor] : null;
  const isEditing = !comment.is_sent && (isOpen || field.isDraft);
  const text = field.text.trim();
  const close = () => {
    field.drop();
    setOpen(false);
  };
  const save = () => {
    if (!text || edit.isPending) return;
    if (text === comment.text) close();
    else edit.mutate({ plan, id: comment.id, text }, { onSuccess: close });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  };
  return (
    <article className={styles.comment} aria-label={`Comment on ${comment.task ?? "the plan"}`}>
      <div className={styles.commentHead}>
        <span className={styles.who}>You</span>
        <span className={styles.dim}>
          {when(comment.at_ms)}
          {comment.revision !== now && ` · at ${shortRevision(comment.revision)}`}
        </span>
        <Chip tone={comment.is_resolved ? "plain" : comment.is_sent ? "good" : "warn"}>
          {comment.is_resolved ? "settled" : comment.is_sent ? "sent" : "not sent"}
        </Chip>
      </div>
      {comment.quote && (
        <blockquote className={styles.quote}>
          <button
            type="button"
            dir="auto"
            disabled={!comment.task || comment.anchor === "lost"}
            title="Show it in the plan"
            onClick={() => comment.task && showTask(comment.task)}
          >
            {isReplace ? <del>{comment.quote}</del> : comment.quote}
          </button>
          {anchor && <span className={styles.dim}>{anchor}</span>}
        </blockquote>
      )}
      {isEditing ? (
        <>
          <Textarea
            size="xs"
            autosize
            maxRows={10}
            dir="auto"
            aria-label="Comment"
            autoFocus={isOpen}
            value={field.text}
            onChange={(event) => field.set(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <div className={styles.buttons}>
            <Button size="compact-xs" disabled={!text} loading={edit.isPending} onClick={save}>
              Save
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={close}>
              Leave as it was
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.words} dir="auto">
          {isReplace ? <ins>{comment.text}</ins> : comment.text}
        </p>
      )}
      {!isEditing && (
        <div className={styles.buttons}>
          {isReplace && !comment.is_resolved && isWritable && comment.anchor !== "lost" && (
            <button
              type="button"
              className={styles.link}
              disabled={accept.isPending}
              onClick={() => accept.mutate({ plan, revision: now, id: comment.id })}
            >
              Replace now
            </button>
          )}
          <button
            type="button"
            className={styles.link}
            disabled={resolve.isPending}
            onClick={() => resolve.mutate({ plan, id: comment.id, resolved: !comment.is_resolved })}
          >
            {comment.is_resolved ? "Open again" : "Settle"}
          </button>
          {!comment.is_sent && !comment.is_resolved && (
            <>
              <button type="button" className={styles.link} onClick={() => setOpen(true)}>
                Edit
              </button>
              <button
                type="button"
                className={styles.link}
                disabled={remove.isPending}
                onClick={() => remove.mutate({ plan, id: comment.id })}
              >
                Delete
              </button>
            </>
          )}
        </div>
      )}
    </article>
  );
}
