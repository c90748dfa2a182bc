/** A comment: its quote and whether the text has changed since, its time, whether it was sent. Unsent comments can be edited and deleted, any comment can be resolved. */
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
import { shortRevision } from "../../lib/revision";
import { when } from "../../lib/time";
import { words } from "../../words";
import { showTask } from "../outline/showTask";
import styles from "./Review.module.css";

interface CommentRowProps {
  plan: string;
  comment: Comment;
  /** The plan's current revision. */
  now: string;
  isWritable: boolean;
}

const texts = words.review.comment;

export function CommentRow({ plan, comment, now, isWritable }: CommentRowProps) {
  const field = useDraft(plan, `comment-edit/${comment.id}`, comment.text);
  const [isOpen, setOpen] = useState(false);
  const edit = useEditComment();
  const remove = useDeleteComment();
  const resolve = useResolveComment();
  const accept = useAcceptComment();
  const isReplace = comment.kind === "replace";
  const anchor = comment.quote ? texts.anchors[comment.anchor] : undefined;
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
    <article
      className={styles.comment}
      aria-label={comment.task ? words.review.commentOn(comment.task) : words.review.commentOnPlan}
    >
      <div className={styles.commentHead}>
        <span className="pw-bold pw-small">{texts.you}</span>
        <span className="pw-hint">
          {when(comment.at_ms)}
          {comment.revision !== now && texts.atRevision(shortRevision(comment.revision))}
        </span>
        <Chip tone={comment.is_resolved ? "plain" : comment.is_sent ? "good" : "warn"}>
          {comment.is_resolved ? texts.resolved : comment.is_sent ? texts.sent : texts.notSent}
        </Chip>
      </div>
      {comment.quote && (
        <blockquote className={styles.quote}>
          <button
            type="button"
            dir="auto"
            disabled={!comment.task || comment.anchor === "lost"}
            title={texts.show}
            onClick={() => comment.task && showTask(comment.task)}
          >
            {isReplace ? <del>{comment.quote}</del> : comment.quote}
          </button>
          {anchor && <span className="pw-hint">{anchor}</span>}
        </blockquote>
      )}
      {isEditing ? (
        <>
          <Textarea
            size="xs"
            autosize
            maxRows={10}
            dir="auto"
            aria-label={texts.field}
            autoFocus={isOpen}
            value={field.text}
            onChange={(event) => field.set(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <div className={styles.buttons}>
            <Button size="compact-xs" disabled={!text} loading={edit.isPending} onClick={save}>
              {texts.save}
            </Button>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={close}>
              {texts.cancel}
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
              {texts.replace}
            </button>
          )}
          <button
            type="button"
            className={styles.link}
            disabled={resolve.isPending}
            onClick={() => resolve.mutate({ plan, id: comment.id, resolved: !comment.is_resolved })}
          >
            {comment.is_resolved ? texts.reopen : texts.resolve}
          </button>
          {!comment.is_sent && !comment.is_resolved && (
            <>
              <button type="button" className={styles.link} onClick={() => setOpen(true)}>
                {texts.edit}
              </button>
              <button
                type="button"
                className={styles.link}
                disabled={remove.isPending}
                onClick={() => remove.mutate({ plan, id: comment.id })}
              >
                {texts.delete}
              </button>
            </>
          )}
        </div>
      )}
    </article>
  );
}
