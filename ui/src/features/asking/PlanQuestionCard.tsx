/** The card of the open question about a plan: each answer says how it changes the plan, and one click applies it. Used above the outline and in the Inbox. */
import { IconHelpCircle } from "@tabler/icons-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { PlanQuestion } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { Kbd } from "../../components/Kbd";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import styles from "./Asking.module.css";

/** How long a new card ignores answers, in milliseconds: a click may have been meant for the previous content. */
export const deafMs = 500;

export const questionCardId = "plan-question";

/** Sends one answer, once, and offers to undo it. */
export function useAnswerOf(question: PlanQuestion): {
  isBusy: boolean;
  submit: (option: number) => void;
} {
  const { id, plan, options } = question;
  const send = useSend(plan);
  const [isBusy, setBusy] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: restarts for another question
  useLayoutEffect(() => {
    shownAt.current = performance.now();
    isSent.current = false;
    setBusy(false);
  }, [id]);

  const submit = (option: number) => {
    const answer = options[option];
    if (!answer || isSent.current || performance.now() - shownAt.current < deafMs) return;
    isSent.current = true;
    setBusy(true);
    void send.answer(id, option).then((outcome) => {
      if (outcome === null) {
        isSent.current = false;
        setBusy(false);
        return;
      }
      const card = document.getElementById(questionCardId);
      if (card?.contains(document.activeElement)) document.getElementById("centre")?.focus();
      if (outcome.outcome === "written") {
        send.offerUndo(words.asking.answered(answer.label), outcome.revision);
      }
    });
  };
  return { isBusy, submit };
}

interface PlanQuestionCardProps {
  question: PlanQuestion;
  answering: ReturnType<typeof useAnswerOf>;
}

export function PlanQuestionCard({ question, answering }: PlanQuestionCardProps) {
  const { options, stakes, default: defaultOption } = question;
  const { isBusy, submit } = answering;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const option = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (!options[option]) return;
    event.preventDefault();
    submit(option);
  };
  return (
    <section
      id={questionCardId}
      className={styles.card}
      aria-labelledby={`${questionCardId}-title`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <h3 id={`${questionCardId}-title`} className={styles.head}>
        <IconHelpCircle size={17} aria-hidden className={styles.sign} />
        <bdi>
          <Inline>{question.question}</Inline>
        </bdi>
      </h3>
      {stakes && (
        <p className="pw-hint pw-leading" dir="auto">
          {stakes}
        </p>
      )}
      <ol className="pw-list pw-column pw-gap-6" aria-label={words.asking.answers}>
        {options.map((option, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: answers are identified by their position
          <li key={at}>
            <button
              type="button"
              className={styles.option}
              aria-disabled={isBusy || undefined}
              onClick={(event) => {
                // Ignores the second click of a double click.
                if (!isBusy && event.detail < 2) submit(at);
              }}
            >
              {at < 9 && (
                <span className="pw-rigid" aria-hidden>
                  <Kbd keys={String(at + 1)} />
                </span>
              )}
              <span className={styles.words}>
                <bdi className="pw-bold">{option.label}</bdi>
                {at === defaultOption && (
                  <span className="pw-hint"> · {words.asking.isDefault}</span>
                )}
                {option.consequence && (
                  <bdi className={styles.consequence}>{option.consequence}</bdi>
                )}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
