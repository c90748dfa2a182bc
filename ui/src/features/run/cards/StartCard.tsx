/** A step that asks to start: what it may change and which commands will run, then yes, yes up to a later step, or leaving it out. */
import { Button } from "@mantine/core";
import { IconPlayerTrackNext } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { usePlace } from "../../../app/place";
import { Diff } from "../../../components/Diff";
import { Exact } from "../../../components/Exact";
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

export function StartCard({ question, plan, answering, closed }: CardProps) {
  const place = usePlace();
  const { isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const { task } = question;
  const chosen = place.plan === plan && place.task !== task ? place.task : null;
  return (
    <CardFrame question={question} tone="accent" icon={<IconPlayerTrackNext size={18} />}>
      <p className={styles.message} dir="auto">
        <Inline>{question.message}</Inline>
      </p>
      <StepFacts question={question} />
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "run", upto: null })}
        >
          {question.kind === "approval"
            ? `Approve ${task} and go on`
            : `Start ${task} all the same`}
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

/** What the step would do: the lines it would change, the commands that will run, whole. */
export function StepFacts({ question }: { question: RunQuestion }) {
  const { step } = question;
  if (!step) return null;
  const named = step.files.filter((file) => !step.changes.some((change) => change.path === file));
  return (
    <>
      {step.changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a file can be changed twice
        <div key={at}>
          <p className={styles.label}>
            WILL CHANGE <Exact>{change.path}</Exact>
          </p>
          <div className={styles.frame}>
            <Diff lines={change.diff} label={`What would change in ${change.path}`} height={10} />
          </div>
        </div>
      ))}
      {named.length > 0 && (
        <div>
          <p className={styles.label}>MAY CHANGE</p>
          <ul className={styles.list}>
            {named.map((file) => (
              <li key={file}>
                <Exact>{file}</Exact>
              </li>
            ))}
          </ul>
        </div>
      )}
      {step.commands.length > 0 && (
        <div>
          <p className={styles.label}>WILL RUN</p>
          <ul className={styles.list}>
            {step.commands.map((command, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a command can stand twice
              <li key={at}>
                <Exact block label="The whole command">
                  {command}
                </Exact>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
