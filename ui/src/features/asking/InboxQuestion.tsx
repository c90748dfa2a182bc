/** The open question of a plan, in the Inbox. */
import { usePlanQuestion } from "../../api/adequacy";
import type { PlanQuestion } from "../../api/bindings";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { PlanQuestionCard, useAnswerOf } from "./PlanQuestionCard";

export function InboxQuestion({ plan }: { plan: string }) {
  const question = usePlanQuestion(plan);
  if (question.isError) {
    return (
      <ErrorState
        title={words.asking.errorTitle}
        error={question.error}
        onRetry={() => void question.refetch()}
      />
    );
  }
  if (question.isPending) return <Loading lines={2} label={words.asking.loading} />;
  // If it was answered elsewhere, the list updates in a moment.
  return question.data ? <Card key={question.data.id} question={question.data} /> : null;
}

function Card({ question }: { question: PlanQuestion }) {
  return <PlanQuestionCard question={question} answering={useAnswerOf(question)} />;
}
