/** A step that asks to start: what it does, then yes, yes up to a later step, or leaving it out. */
import { Button } from "@mantine/core";
import { IconPlayerTrackNext } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useGone } from "../../../api/queries";
import { usePlace } from "../../../app/place";
import { Effects } from "../../../components/Effects";
import { Inline } from "../../../components/Inline";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Leaving } from "./Leaving";
import type { Answering } from "./useAnswering";

interface CardProps {
  question: RunQuestion;
  plan: string;
  answering: Answering;
  closed: string | null;
}

export function StartCard({ question, plan, answering, closed: elsewhere }: CardProps) {
  const place = usePlace();
  const gone = useGone(place.plan === plan ? plan : null);
  const closed = elsewhere ?? gone;
  const { isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const { task } = question;
  const chosen = place.plan === plan && place.task !== task ? place.task : null;
  return (
    <CardFrame question={question} tone="accent" icon={<IconPlayerTrackNext size={18} />}>
      <p className={styles.message} dir="auto">
        <Inline>{question.message}</Inline>
      </p>
      <Effects effects={question.effects} />
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "run", upto: null })}
        >
          {question.kind === "approval" ? "Approve and continue" : "Start anyway"}
        </Button>
        {question.kind === "approval" && chosen && (
          <Button
            size="xs"
            variant="default"
            aria-disabled={isOff}
            title={`Approves ${task} and the steps up to ${chosen}, the one selected in the outline`}
            onClick={() => !isOff && give({ answer: "run", upto: chosen })}
          >
            Approve to {chosen}
          </Button>
        )}
        <Leaving question={question} answering={answering} isOff={isOff} />
      </div>
    </CardFrame>
  );
}
