/** Shows a waiting question with the card for its kind. Used in the Run panel, in Talk and in the Inbox. */
import type { RunQuestion } from "../../../api/bindings";
import { questionKey } from "../shown";
import { ChoiceCard } from "./ChoiceCard";
import { DangerCard } from "./DangerCard";
import { PermissionCard } from "./PermissionCard";
import { StartCard } from "./StartCard";
import { FailureCard, GateCard, PersonCard, UnknownCard } from "./StepCards";
import { useCardAnswer } from "./useCardAnswer";

interface QuestionCardProps {
  question: RunQuestion;
  plan: string;
  /** Why it can't be answered here now: another process executes the run. */
  closed?: string | null;
}

export function QuestionCard(props: QuestionCardProps) {
  // Another question gets a new card: clicks and text meant for the previous one don't apply to it.
  return <Card key={questionKey(props.question)} {...props} />;
}

function Card({ question, plan, closed = null }: QuestionCardProps) {
  const answer = useCardAnswer(question, plan);
  const shared = { question, answer, closed };
  switch (question.kind) {
    case "permission":
      return <PermissionCard {...shared} />;
    case "destructive":
      return <DangerCard {...shared} plan={plan} />;
    case "approval":
    case "skipped_dependency":
      return <StartCard {...shared} plan={plan} />;
    case "person":
      return <PersonCard {...shared} />;
    case "gate":
      return <GateCard {...shared} />;
    case "unknown":
      return <UnknownCard {...shared} />;
    case "failure":
      return <FailureCard {...shared} plan={plan} />;
    default:
      return <ChoiceCard {...shared} plan={plan} />;
  }
}
