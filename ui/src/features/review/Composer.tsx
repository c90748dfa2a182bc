/** The field at the foot of Review: the words it is about, and what is said of them. Enter adds the comment, Shift+Enter breaks the line. What is typed is kept for the step it is about. */
import { ActionIcon, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { IconArrowUp, IconQuote, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Outline } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useAddComment } from "../../api/mutations";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import styles from "./Review.module.css";
import { commentWish } from "./wish";

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
  const quote = useDraft(plan, task ? `comment-quote/${task}` : "comment-quote", "", revision);
  const add = useAddComment();
  const input = useRef<HTMLTextAreaElement>(null);
  const wish = useStore(commentWish);
  const heard = useRef(0);
  const text = field.text.trim();
  const words = quote.text.trim();
  const hasQuote = isQuoting || words !== "";
  const isReplace = kind === "replace" && words !== "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each wish
  useEffect(() => {
    if (!wish || wish.count === heard.current) return;
    heard.current = wish.count;
    setForPlan(wish.task === null);
    setKind(wish.quote ? wish.kind : "comment");
    setBefore(wish.before);
    if (wish.quote) {
      quote.set(wish.quote);
      if (wish.kind === "replace" && !text) field.set(wish.quote);
    }
    input.current?.focus();
  }, [wish]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another step, another thing to talk about
  useEffect(() => {
    if (wish?.count !== heard.current || wish?.task !== selected) setForPlan(false);
  }, [selected]);

  const takeQuoteOff = () => {
    quote.drop();
    setQuoting(false);
    setKind("comment");
    setBefore("");
  };
  const send = () => {
    if (!text || add.isPending) return;
    add.mutate(
      {
        plan,
        revision,
        place: { task, quote: words || null, before: words && before ? before : null },
        kind: isReplace ? "replace" : "comment",
        text,
      },
      {
        onSuccess: () => {
          field.drop();
          takeQuoteOff();
        },
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const label = isReplace
    ? "The words that should stand there"
    : task
      ? `Comment on ${task}`
      : "Comment on the plan";
  return (
    <div className={styles.composer}>
      <p className={styles.aboutLine}>
        <span>about {task ?? "the whole plan"}</span>
        {selected && (
          <button type="button" className={styles.link} onClick={() => setForPlan(!isForPlan)}>
            {task ? "the whole plan instead" : `${selected} instead`}
          </button>
        )}
        {!hasQuote && (
          <button type="button" className={styles.link} onClick={() => setQuoting(true)}>
            <IconQuote size={12} aria-hidden /> quote words
          </button>
        )}
      </p>
      {hasQuote && (
        <div className={styles.quoting}>
          <TextInput
            size="xs"
            dir="auto"
            aria-label="The words it is about"
            placeholder="The words it is about, as they stand in the plan"
            value={quote.text}
            onChange={(event) => quote.set(event.currentTarget.value)}
            rightSection={
              <ActionIcon
                size="xs"
                variant="subtle"
                color="gray"
                aria-label="Take the quote off"
                onClick={takeQuoteOff}
              >
                <IconX size={12} />
              </ActionIcon>
            }
          />
          <SegmentedControl
            size="xs"
            aria-label="What is said of the words"
            value={kind}
            onChange={(next) => setKind(next as Kind)}
            data={[
              { value: "comment", label: "Comment" },
              { value: "replace", label: "Replace" },
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
        placeholder={isReplace ? "What should stand there instead" : "Say what should be otherwise"}
        value={field.text}
        onChange={(event) => field.set(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Add the comment"
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
