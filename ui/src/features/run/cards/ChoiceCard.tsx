/** A review checkpoint or a decision: each option is a button that says where it leads; free words where there are none. */
import { Button } from "@mantine/core";
import { IconFlag3, IconHelpCircle } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useGone } from "../../../api/queries";
import { usePlace } from "../../../app/place";
import { Inline } from "../../../components/Inline";
import { askApproval } from "../../approve/open";
import { showPanelOf } from "../panel";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import type { Answering } from "./useAnswering";
import { Words } from "./Words";

/** The option that answers nothing: looking first, and being asked again. */
const isReview = (option: { effect: string | null }) =>
  option.effect?.startsWith("shows the changes") ?? false;

interface CardProps {
  question: RunQuestion;
  plan: string;
  answering: Answering;
  closed: string | null;
}

export function ChoiceCard({ question, plan, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const isCheckpoint = question.kind === "checkpoint";
  const isFree = question.options.length === 0;
  // A model takes any answer.
  const isOfModel = question.kind === "question";
  const noteOf = (words: string) => (words && !isOfModel ? words : null);
  const said = words.text.trim();
  // The dialog is beside the plan; elsewhere the way to it is opening the plan.
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
      <p className={styles.message} dir="auto">
        <Inline>{question.message}</Inline>
      </p>
      {closed && <p className={styles.notice}>{closed}</p>}
      {isFree ? (
        <>
          <Words field={words} label="Your answer" required />
          <div className={styles.buttons}>
            <Button
              size="xs"
              aria-disabled={isOff || !said}
              data-disabled={!said || undefined}
              onClick={() => !isOff && said && give({ answer: "choice", label: said, note: null })}
            >
              Answer
            </Button>
          </div>
        </>
      ) : (
        <>
          <ul className={styles.options} aria-label="Answers">
            {question.options.map((option) => (
              <li key={option.label}>
                <button
                  type="button"
                  className={styles.option}
                  aria-disabled={isOff}
                  dir="auto"
                  onClick={(event) => {
                    if (isReview(option)) showChanges();
                    else if (!isOff && event.detail < 2)
                      give({ answer: "choice", label: option.label, note: noteOf(said) });
                  }}
                >
                  <Inline>{option.label}</Inline>
                  {option.effect && <span className={styles.effect}>{leadsTo(option.effect)}</span>}
                </button>
              </li>
            ))}
          </ul>
          {isOfModel ? (
            <>
              <Words field={words} label="Or in your words" />
              {said && (
                <div className={styles.buttons}>
                  <Button
                    size="xs"
                    aria-disabled={isOff}
                    onClick={() => !isOff && give({ answer: "choice", label: said, note: null })}
                  >
                    Answer in these words
                  </Button>
                </div>
              )}
            </>
          ) : (
            <Words field={words} label="Note (optional)" />
          )}
        </>
      )}
      {canApprove && (
        <div className={styles.buttons}>
          <Button size="xs" variant="default" onClick={() => askApproval("run")}>
            Approve the new revision…
          </Button>
        </div>
      )}
      {isCheckpoint && !question.options.some(isReview) && (
        <div className={styles.buttons}>
          <Button size="xs" variant="subtle" onClick={showChanges}>
            Let me review first
          </Button>
        </div>
      )}
    </CardFrame>
  );
}

/** A branch is an arrow to its step; anything else follows the answer. */
function leadsTo(effect: string): string {
  const step = effect.replace(/^(→|->)\s*/, "");
  return step !== effect || /^[A-Z]+\d[\w.]*$/.test(effect) ? ` → ${step}` : ` · ${effect}`;
}
