/** Buttons to skip a step with a reason, which is saved in the plan file, and to stop the run if the question allows it. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { RunQuestion } from "../../../api/bindings";
import { words } from "../../../words";
import { AnswerField } from "./AnswerField";
import type { CardAnswer } from "./useCardAnswer";

interface SkipButtonsProps {
  question: RunQuestion;
  answer: CardAnswer;
  isOff: boolean;
  /** Whether the card itself has a field for the reason. */
  hasField?: boolean;
  withStop?: boolean;
}

export function SkipButtons({
  question,
  answer,
  isOff,
  hasField = false,
  withStop = true,
}: SkipButtonsProps) {
  const { draft, submit } = answer;
  const [isOpen, setOpen] = useState(false);
  const reason = draft.text.trim();
  const isAsked = hasField || isOpen || draft.text !== "";
  const skip = () => {
    if (isOff) return;
    if (reason) submit({ answer: "skip", reason });
    else setOpen(true);
  };
  return (
    <>
      {isAsked && !hasField && (
        <div style={{ flex: "1 1 100%" }}>
          <AnswerField
            draft={draft}
            label={words.runCards.skip.reason(question.task)}
            hint={words.runCards.skip.reasonHint}
            required
            autoFocus={isOpen}
          />
        </div>
      )}
      <Button
        size="xs"
        variant={isAsked ? "default" : "subtle"}
        color={isAsked ? undefined : "gray"}
        aria-disabled={isOff || (isAsked && !reason)}
        data-disabled={(isAsked && !reason) || undefined}
        onClick={skip}
      >
        {isAsked ? words.runCards.skip.skip(question.task) : words.runCards.skip.ask(question.task)}
      </Button>
      {withStop && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "stop" })}
        >
          {words.runCards.skip.stopRun}
        </Button>
      )}
    </>
  );
}
