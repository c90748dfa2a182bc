/** The one open question about a plan: each answer says what becomes of the plan, and one click writes it. The same card above the outline and in the Inbox. */
import { IconHelpCircle } from "@tabler/icons-react";
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import type { PlanQuestion } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { Kbd } from "../../components/Kbd";
import { useSend } from "../outline/useSend";
import styles from "./Asking.module.css";

/** How long a new card does not listen, in milliseconds: a click meant for what stood there before answers nothing. */
export const deafMs = 500;

export const questionCardId = "plan-question";

/** Gives one answer, once, and offers to take it back. */
export function useAnswerOf(question: PlanQuestion): {
  isBusy: boolean;
  give: (option: number) => void;
} {
  const { id, plan, options } = question;
  const send = useSend(plan);
  const [isBusy, setBusy] = useState(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const isSent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins anew
  useLayoutEffect(() => {
    shownAt.current = performance.now();
    isSent.current = false;
    setBusy(false);
  }, [id]);

  const give = (option: number) => {
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
        send.offerUndo(`Answered: ${answer.label}`, outcome.revision);
      }
    });
  };
  return { isBusy, give };
}

interface PlanQuestionCardProps {
  question: PlanQuestion;
  answering: ReturnType<typeof useAnswerOf>;
}

export function PlanQuestionCard({ question, answering }: PlanQuestionCardProps) {
  const { options, stakes, default: usual } = question;
  const { isBusy, give } = answering;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const option = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    if (!options[option]) return;
    event.preventDefault();
    give(option);
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
        <p className={styles.stakes} dir="auto">
          {stakes}
        </p>
      )}
      <ol className={styles.options} aria-label="Answers">
        {options.map((option, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place in the list
          <li key={at}>
            <button
              type="button"
              className={styles.option}
              aria-disabled={isBusy || undefined}
              onClick={(event) => {
                // The tail of a double click is no second answer.
                if (!isBusy && event.detail < 2) give(at);
              }}
            >
              {at < 9 && (
                <span className={styles.key} aria-hidden>
                  <Kbd keys={String(at + 1)} />
                </span>
              )}
              <span className={styles.words}>
                <bdi className={styles.label}>{option.label}</bdi>
                {at === usual && <span className={styles.usual}> · taken if nobody answers</span>}
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
