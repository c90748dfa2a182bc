/** Leaving a step out, with the reason that stands in the plan file afterwards; and ending the run where that is an answer. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { RunQuestion } from "../../../api/bindings";
import type { Answering } from "./useAnswering";
import { Words } from "./Words";

interface LeavingProps {
  question: RunQuestion;
  answering: Answering;
  isOff: boolean;
  /** The card's own field holds the reason already. */
  hasField?: boolean;
  withStop?: boolean;
}

export function Leaving({
  question,
  answering,
  isOff,
  hasField = false,
  withStop = true,
}: LeavingProps) {
  const { words, give } = answering;
  const [isOpen, setOpen] = useState(false);
  const reason = words.text.trim();
  const isAsked = hasField || isOpen || words.text !== "";
  const leave = () => {
    if (isOff) return;
    if (reason) give({ answer: "skip", reason });
    else setOpen(true);
  };
  return (
    <>
      {isAsked && !hasField && (
        <div style={{ flex: "1 1 100%" }}>
          <Words
            field={words}
            label={`Reason for skipping ${question.task}`}
            hint="Saved in the plan file."
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
        onClick={leave}
      >
        {isAsked ? `Skip ${question.task}` : `Skip ${question.task}…`}
      </Button>
      {withStop && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "stop" })}
        >
          Stop the run
        </Button>
      )}
    </>
  );
}
