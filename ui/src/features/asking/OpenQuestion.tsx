/** The open question above the outline, with its keyboard shortcuts. Renders nothing if there is none. */
import { useMemo, useRef } from "react";
import { usePlanQuestion } from "../../api/adequacy";
import type { PlanQuestion } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";
import { PlanQuestionCard, questionCardId, useAnswerOf } from "./PlanQuestionCard";

export function OpenQuestion({ plan }: { plan: string }) {
  const question = usePlanQuestion(plan).data;
  return question ? <Asked key={question.id} question={question} /> : null;
}

function Asked({ question }: { question: PlanQuestion }) {
  const answering = useAnswerOf(question);
  const latest = useRef(answering);
  latest.current = answering;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "question.show",
          title: words.asking.goTo,
          group: "go",
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
            title: words.asking.answer(option.label),
            group: "plan",
            keys: `q ${at + 1}`,
            run: () => latest.current.submit(at),
          }),
        ),
      ],
      [question],
    ),
  );
  return <PlanQuestionCard question={question} answering={answering} />;
}
