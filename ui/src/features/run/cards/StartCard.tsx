/** The card of a step that needs approval to start: shows what the step does. The person can approve it, approve all steps through a later one, or skip it. */
import { Button } from "@mantine/core";
import { IconPlayerTrackNext } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useGone } from "../../../api/queries";
import { usePlace } from "../../../app/place";
import { Effects } from "../../../components/Effects";
import { Inline } from "../../../components/Inline";
import { words } from "../../../words";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { SkipButtons } from "./SkipButtons";
import type { CardAnswer } from "./useCardAnswer";

interface CardProps {
  question: RunQuestion;
  plan: string;
  answer: CardAnswer;
  closed: string | null;
}

export function StartCard({ question, plan, answer, closed: elsewhere }: CardProps) {
  const place = usePlace();
  const gone = useGone(place.plan === plan ? plan : null);
  const closed = elsewhere ?? gone;
  const { isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  const { task } = question;
  const chosen = place.plan === plan && place.task !== task ? place.task : null;
  return (
    <CardFrame question={question} tone="accent" icon={<IconPlayerTrackNext size={18} />}>
      <p className="pw-exact" dir="auto">
        <Inline>{question.message}</Inline>
      </p>
      <Effects effects={question.effects} />
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "run", upto: null })}
        >
          {question.kind === "approval"
            ? words.runCards.start.approveAndContinue
            : words.runCards.start.startAnyway}
        </Button>
        {question.kind === "approval" && chosen && (
          <Button
            size="xs"
            variant="default"
            aria-disabled={isOff}
            title={words.runCards.start.approveThroughTooltip(task, chosen)}
            onClick={() => !isOff && submit({ answer: "run", upto: chosen })}
          >
            {words.runCards.start.approveThrough(chosen)}
          </Button>
        )}
        <SkipButtons question={question} answer={answer} isOff={isOff} />
      </div>
    </CardFrame>
  );
}
