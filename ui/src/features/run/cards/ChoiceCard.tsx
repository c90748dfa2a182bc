/** The card of a checkpoint, a decision or another question with options: each option is a button that shows its effect. If there are no options, it has a text field. */
import { Button } from "@mantine/core";
import { IconFlag3, IconHelpCircle } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useGone } from "../../../api/queries";
import { usePlace } from "../../../app/place";
import { Inline } from "../../../components/Inline";
import { words } from "../../../words";
import { askApproval } from "../../approve/open";
import { showPanelOf } from "../panel";
import { AnswerField } from "./AnswerField";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import type { CardAnswer } from "./useCardAnswer";

interface CardProps {
  question: RunQuestion;
  plan: string;
  answer: CardAnswer;
  closed: string | null;
}

export function ChoiceCard({ question, plan, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  const isCheckpoint = question.kind === "checkpoint";
  const isFree = question.options.length === 0;
  // A model's question accepts any answer, but no note.
  const isFromModel = question.kind === "question";
  const text = draft.text.trim();
  const note = text && !isFromModel ? text : null;
  // The approval dialog is only available for the open plan.
  const isHere = usePlace().plan === plan;
  const gone = useGone(isHere ? plan : null);
  const canApprove = question.kind === "changed" && isHere && gone === null && closed === null;
  const showChanges = () => showPanelOf(plan, "changes", question.run);
  return (
    <CardFrame
      question={question}
      tone={isCheckpoint ? "accent" : "warn"}
      icon={isCheckpoint ? <IconFlag3 size={18} /> : <IconHelpCircle size={18} />}
    >
      <p className="pw-exact" dir="auto">
        <Inline>{question.message}</Inline>
      </p>
      {closed && <p className={styles.notice}>{closed}</p>}
      {isFree ? (
        <>
          <AnswerField draft={draft} label={words.runCards.choice.yourAnswer} required />
          <div className={styles.buttons}>
            <Button
              size="xs"
              aria-disabled={isOff || !text}
              data-disabled={!text || undefined}
              onClick={() =>
                !isOff && text && submit({ answer: "choice", label: text, note: null })
              }
            >
              {words.runCards.choice.answer}
            </Button>
          </div>
        </>
      ) : (
        <>
          <ul className="pw-list pw-column pw-gap-6" aria-label={words.runCards.card.answers}>
            {question.options.map((option) => (
              <li key={option.label}>
                <button
                  type="button"
                  className={styles.option}
                  aria-disabled={isOff}
                  dir="auto"
                  onClick={(event) => {
                    if (option.is_review) showChanges();
                    else if (!isOff && event.detail < 2)
                      submit({ answer: "choice", label: option.label, note });
                  }}
                >
                  <Inline>{option.label}</Inline>
                  {option.effect && <span className={styles.effect}>{` · ${option.effect}`}</span>}
                </button>
              </li>
            ))}
          </ul>
          {isFromModel ? (
            <>
              <AnswerField draft={draft} label={words.runCards.choice.ownAnswer} />
              {text && (
                <div className={styles.buttons}>
                  <Button
                    size="xs"
                    aria-disabled={isOff}
                    onClick={() => !isOff && submit({ answer: "choice", label: text, note: null })}
                  >
                    {words.runCards.choice.sendOwnAnswer}
                  </Button>
                </div>
              )}
            </>
          ) : (
            <AnswerField draft={draft} label={words.runCards.choice.note} />
          )}
        </>
      )}
      {canApprove && (
        <div className={styles.buttons}>
          <Button size="xs" variant="default" onClick={() => askApproval("run")}>
            {words.runCards.choice.approveRevision}
          </Button>
        </div>
      )}
      {isCheckpoint && !question.options.some((option) => option.is_review) && (
        <div className={styles.buttons}>
          <Button size="xs" variant="subtle" onClick={showChanges}>
            {words.runCards.card.review}
          </Button>
        </div>
      )}
    </CardFrame>
  );
}
