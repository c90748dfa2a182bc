/** A step that asks to start: what it may change and which commands will run, then yes, yes up to a later step, or leaving it out. */
import { Button } from "@mantine/core";
import { IconPlayerTrackNext } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useOutline, useTask } from "../../../api/queries";
import { usePlace } from "../../../app/place";
import { Exact } from "../../../components/Exact";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Leaving } from "./Leaving";
import type { Answering } from "./useAnswering";

/** Fields of a step that hold commands, as the file names them. */
const commandFields = ["call", "calls", "verify", "run"];

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
        {question.message}
      </p>
      <StepFacts question={question} plan={plan} />
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

/** What the step is, as the plan reads now; says so when that is not what was asked about. */
function StepFacts({ question, plan }: { question: RunQuestion; plan: string }) {
  const outline = useOutline(plan).data;
  const detail = useTask(plan, outline?.revision ?? null, question.task).data;
  if (!detail) return null;
  const commands = detail.fields
    .filter((field) => commandFields.includes(field.key))
    .flatMap((field) => field.values);
  const isOther = question.fingerprint !== null && detail.fingerprint !== question.fingerprint;
  return (
    <>
      {isOther && (
        <p className={styles.notice}>
          The step reads otherwise now than when it was asked about. An answer counts only for what
          was asked; it will be asked anew.
        </p>
      )}
      {detail.row.files.length > 0 && (
        <div>
          <p className={styles.label}>MAY CHANGE</p>
          <ul className={styles.list}>
            {detail.row.files.map((file) => (
              <li key={file}>
                <Exact>{file}</Exact>
              </li>
            ))}
          </ul>
        </div>
      )}
      {commands.length > 0 && (
        <div>
          <p className={styles.label}>WILL RUN</p>
          <ul className={styles.list}>
            {commands.map((command, at) => (
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
