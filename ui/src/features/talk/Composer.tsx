/** The field at the foot of Talk: Enter adds the comment, Shift+Enter breaks the line. What is typed is kept for the step it is about. */
import { ActionIcon, Textarea } from "@mantine/core";
import { IconArrowUp, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Outline } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useAddComment } from "../../api/mutations";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import styles from "./Talk.module.css";
import { commentWishes } from "./wish";

export function Composer({ outline }: { outline: Outline }) {
  const { task: selected } = usePlace();
  const [isForPlan, setForPlan] = useState(false);
  const task = isForPlan ? null : selected;
  const field = useDraft(outline.plan, task ? `comment/${task}` : "comment", "", outline.revision);
  const add = useAddComment();
  const input = useRef<HTMLTextAreaElement>(null);
  const wishes = useStore(commentWishes);
  const heard = useRef(0);
  const text = field.text.trim();

  useEffect(() => {
    if (wishes === heard.current) return;
    heard.current = wishes;
    if (wishes > 0) input.current?.focus();
  }, [wishes]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another step, another thing to talk about
  useEffect(() => setForPlan(false), [selected]);

  const send = () => {
    if (!text || add.isPending) return;
    add.mutate(
      {
        plan: outline.plan,
        revision: outline.revision,
        place: { task, quote: null, before: null },
        text,
      },
      { onSuccess: field.drop },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.composer}>
      {selected && (
        <p className={styles.about}>
          <span>about {task ? selected : "the whole plan"}</span>
          <button type="button" className={styles.link} onClick={() => setForPlan(!isForPlan)}>
            {task ? (
              <>
                <IconX size={11} aria-hidden /> the whole plan instead
              </>
            ) : (
              `${selected} instead`
            )}
          </button>
        </p>
      )}
      <Textarea
        ref={input}
        autosize
        minRows={1}
        maxRows={8}
        dir="auto"
        aria-label={task ? `Comment on ${task}` : "Comment on the plan"}
        placeholder="Ask for a change, or answer"
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
