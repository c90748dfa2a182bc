/** The open question above the outline, with its keys. Draws nothing while nothing is asked. */
import { useMemo, useRef } from "react";
import { usePlanQuestion } from "../../api/adequacy";
import type { PlanQuestion } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { PlanQuestionCard, questionCardId, useAnswerOf } from "./PlanQuestionCard";

export function OpenQuestion({ plan }: { plan: string }) {
  const question = usePlanQuestion(plan).data;
  return question ? <Asked key={question.id} question={question} /> : null;
}

function Asked({ question }: { question: PlanQuestion }) {
  const answering = useAnswerOf(question);
  const now = useRef(answering);
  now.current = answering;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "question.show",
          title: "Go to the open question",
          group: "Go to",
          keys: "g q",
          run: () => {
            const card = document.getElementById(questionCardId);
            card?.scrollIntoView({ block: "nearest" });
            card?.focus();
          },
        },
        ...question.options.slice(0, 9).map(
          (option, at): Action => ({
            id: `question.answer${at + 1}`,
            title: `Answer the question: ${option.label}`,
            group: "Plan",
            keys: `q ${at + 1}`,
            run: () => now.current.give(at),
          }),
        ),
      ],
      [question],
    ),
  );
  return <PlanQuestionCard question={question} answering={answering} />;
}
