/** The composer at the bottom of Review: an optional quote and the comment. Enter adds the comment, Shift+Enter starts a new line. The draft is kept per step. */
import { ActionIcon, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { IconArrowUp, IconQuote, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Outline } from "../../api/bindings";
import { putDraft } from "../../api/draftList";
import { type DraftField, useDraft } from "../../api/drafts";
import { useAddComment } from "../../api/mutations";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { commentTarget } from "./commentTarget";
import styles from "./Review.module.css";

const texts = words.review.composer;

type Kind = "comment" | "replace";

export function Composer({ outline }: { outline: Outline }) {
  const { plan, revision } = outline;
  const { task: selected } = usePlace();
  const [isForPlan, setForPlan] = useState(false);
  const [kind, setKind] = useState<Kind>("comment");
  const [isQuoting, setQuoting] = useState(false);
  const [before, setBefore] = useState("");
  const task = isForPlan ? null : selected;
  const key = task ? `comment/${task}` : "comment";
  const field = useDraft(plan, key, "", revision);
  const quoteKey = task ? `comment-quote/${task}` : "comment-quote";
  const quote = useDraft(plan, quoteKey, "", revision);
  const cache = useQueryClient();
  const add = useAddComment();
  const latest = useRef({ key, field, quote });
  latest.current = { key, field, quote };
  /** The field's text at the last Enter, because another Enter may be pressed before the field is cleared. */
  const sent = useRef<DraftField | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const target = useStore(commentTarget);
  const handled = useRef(0);
  const text = field.text.trim();
  const quoted = quote.text.trim();
  const hasQuote = isQuoting || quoted !== "";
  const isReplace = kind === "replace" && quoted !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target
  useEffect(() => {
    if (!target || target.count === handled.current) return;
    handled.current = target.count;
    setForPlan(target.task === null);
    setKind(target.quote ? target.kind : "comment");
    setBefore(target.before);
    if (target.quote) {
      quote.set(target.quote);
      if (target.kind === "replace" && !text) field.set(target.quote);
    }
    input.current?.focus();
  }, [target]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another step is selected
  useEffect(() => {
    if (target?.count !== handled.current || target?.task !== selected) setForPlan(false);
  }, [selected]);

  const removeQuote = () => {
    quote.drop();
    setQuoting(false);
    setKind("comment");
    setBefore("");
  };
  const send = () => {
    if (!text || sent.current === field) return;
    sent.current = field;
    const restore = () => {
      const now = latest.current;
      if (now.key !== key) {
        // Another step is selected now, so the text is restored as a draft. `useAddComment` reports failures.
        putDraft(cache, plan, key, text, revision).catch(() => undefined);
        putDraft(cache, plan, quoteKey, quoted, revision).catch(() => undefined);
        return;
      }
      now.field.set(now.field.text ? `${text}\n${now.field.text}` : text);
      if (!quoted) return;
      now.quote.set(quoted);
      setKind(kind);
      setBefore(before);
    };
    add.mutate(
      {
        plan,
        revision,
        place: { task, quote: quoted || null, before: quoted && before ? before : null },
        kind: isReplace ? "replace" : "comment",
        text,
      },
      { onError: restore },
    );
    field.drop();
    removeQuote();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const label = isReplace
    ? texts.replacement
    : task
      ? words.review.commentOn(task)
      : words.review.commentOnPlan;
  return (
    <div className={styles.composer}>
      <p className={styles.aboutLine}>
        <span>{task ? texts.about(task) : texts.aboutPlan}</span>
        {selected && (
          <button type="button" className={styles.link} onClick={() => setForPlan(!isForPlan)}>
            {task ? texts.switchToPlan : texts.switchTo(selected)}
          </button>
        )}
        {!hasQuote && (
          <button type="button" className={styles.link} onClick={() => setQuoting(true)}>
            <IconQuote size={12} aria-hidden /> {texts.quoteText}
          </button>
        )}
      </p>
      {hasQuote && (
        <div className={styles.quoting}>
          <TextInput
            size="xs"
            dir="auto"
            aria-label={texts.quote}
            placeholder={texts.quotePlaceholder}
            value={quote.text}
            onChange={(event) => quote.set(event.currentTarget.value)}
            rightSection={
              <ActionIcon
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={texts.removeQuote}
                onClick={removeQuote}
              >
                <IconX size={12} />
              </ActionIcon>
            }
          />
          <SegmentedControl
            size="xs"
            aria-label={texts.kind}
            value={kind}
            onChange={(next) => setKind(next as Kind)}
            data={[
              { value: "comment", label: texts.comment },
              { value: "replace", label: texts.replace },
            ]}
          />
        </div>
      )}
      <Textarea
        ref={input}
        autosize
        minRows={1}
        maxRows={8}
        dir="auto"
        aria-label={label}
        placeholder={isReplace ? texts.replacement : texts.placeholder}
        value={field.text}
        onChange={(event) => field.set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.add}
            aria-disabled={!text}
            loading={add.isPending}
            onClick={send}
          >
            <IconArrowUp size={17} />
          </ActionIcon>
        }
      />
    </div>
  );
}
