/** A question from the model: its options are buttons with the keys 1 to 9, other answers go into the message box, and the decision can be left to the model. Collapses to two lines once it is answered. */
import { Button } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { type KeyboardEvent, useMemo, useRef } from "react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { Inline } from "../../components/Inline";
import { Kbd } from "../../components/Kbd";
import { words } from "../../words";
import styles from "./Talk.module.css";
import { useAnswerOnce } from "./useAnswerOnce";

const w = words.talk.question;

/** The card that is waiting for an answer; there is at most one. */
export const openQuestionId = "talk-question";

interface QuestionRowProps {
  item: Extract<TalkItem, { kind: "question" }>;
  talk: TalkView;
}

export function QuestionRow({ item, talk }: QuestionRowProps) {
  if (item.is_open) return <OpenQuestion key={item.call} item={item} talk={talk} />;
  return (
    <section className={styles.settled} aria-label={w.label}>
      <p className={styles.settledHead} dir="auto">
        <IconHelpCircle size={14} aria-hidden />
        <span>
          <Inline>{item.message}</Inline>
        </span>
      </p>
      <p className={styles.settledAnswer} dir="auto">
        {item.answer ?? w.unanswered}
      </p>
    </section>
  );
}

function OpenQuestion({ item, talk }: QuestionRowProps) {
  const { isBusy, answer } = useAnswerOnce(talk.session, item.call);
  const options = item.options;
  const choose = (at: number) => {
    const option = options[at];
    if (option !== undefined) answer({ answer: "words", words: option });
  };
  const now = useRef(choose);
  now.current = choose;
  useActions(
    useMemo<Action[]>(
      () =>
        options.slice(0, 9).map((option, at) => ({
          id: `talk.answer${at + 1}`,
          title: words.talk.actions.answer(option),
          group: "plan",
          keys: `i ${at + 1}`,
          run: () => now.current(at),
        })),
      [options],
    ),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const at = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (options[at] === undefined) return;
    event.preventDefault();
    choose(at);
  };
  return (
    <section
      id={openQuestionId}
      className={styles.card}
      data-tone="warn"
      aria-labelledby={`${openQuestionId}-title`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <h3 id={`${openQuestionId}-title`} className={styles.cardHead} dir="auto">
        <IconHelpCircle size={18} aria-hidden className={styles.sign} />
        <span>
          <Inline>{item.message}</Inline>
        </span>
      </h3>
      {options.length > 0 && (
        <ol className="pw-list pw-column pw-gap-6" aria-label={w.options}>
          {options.map((option, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its position
            <li key={at}>
              <button
                type="button"
                className={styles.option}
                aria-disabled={isBusy || undefined}
                // Ignores the second click of a double click.
                onClick={(event) => !isBusy && event.detail < 2 && choose(at)}
              >
                {at < 9 && <Kbd keys={String(at + 1)} small hidden />}
                <bdi>{option}</bdi>
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className={styles.buttons}>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-disabled={isBusy}
          onClick={() => !isBusy && answer({ answer: "skip" })}
        >
          {w.skip}
        </Button>
        <span className={styles.dim}>{w.ownWords}</span>
      </div>
    </section>
  );
}
