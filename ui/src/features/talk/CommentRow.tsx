/** One comment: on which step, when, whether it was sent. While it is not, it can be reworded and deleted. */
import { Button, Textarea } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import type { Comment } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useDeleteComment, useEditComment } from "../../api/mutations";
import { Chip } from "../../components/Chip";
import { shortRevision, when } from "../run/words";
import styles from "./Talk.module.css";

interface CommentRowProps {
  plan: string;
  comment: Comment;
  /** The plan's revision now. */
  now: string;
}

export function CommentRow({ plan, comment, now }: CommentRowProps) {
  const field = useDraft(plan, `comment-edit/${comment.id}`, comment.text);
  const [isOpen, setOpen] = useState(false);
  const edit = useEditComment();
  const remove = useDeleteComment();
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
          {comment.task ? `on ${comment.task} · ` : ""}
          {when(comment.at_ms)}
          {comment.revision !== now && ` · at ${shortRevision(comment.revision)}`}
        </span>
        <Chip tone={comment.is_sent ? "good" : "warn"}>
          {comment.is_sent ? "sent" : "not sent"}
        </Chip>
      </div>
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
          {comment.text}
        </p>
      )}
      {!comment.is_sent && !isEditing && (
        <div className={styles.buttons}>
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
        </div>
      )}
    </article>
  );
}
