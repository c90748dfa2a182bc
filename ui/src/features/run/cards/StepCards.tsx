/** Cards about one step: yours to do, held by the quality gate, cut off, or failed. */
import { Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconHandStop,
  IconShieldExclamation,
  IconUser,
  IconX,
} from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { useRunStep } from "../../../api/queries";
import { Effects } from "../../../components/Effects";
import { Exact } from "../../../components/Exact";
import { outputText, visibleText } from "../../../components/exactText";
import { Inline } from "../../../components/Inline";
import { WayList } from "../Ways";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Leaving } from "./Leaving";
import type { Answering } from "./useAnswering";
import { Words } from "./Words";

interface CardProps {
  question: RunQuestion;
  answering: Answering;
  closed: string | null;
}

function Message({ question, closed }: { question: RunQuestion; closed: string | null }) {
  return (
    <>
      <p className={styles.message} dir="auto">
        {/* It quotes the command that was cut off. */}
        {question.kind === "unknown" ? (
          visibleText(question.message)
        ) : (
          <Inline>{question.message}</Inline>
        )}
      </p>
      {closed && <p className={styles.notice}>{closed}</p>}
    </>
  );
}

export function PersonCard({ question, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  return (
    <CardFrame question={question} tone="warn" icon={<IconUser size={18} />}>
      <Message question={question} closed={closed} />
      <Words field={words} label="Note" hint="Optional; required to skip." />
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "done", note: words.text.trim() || null })}
        >
          Mark as done
        </Button>
        <Leaving question={question} answering={answering} isOff={isOff} hasField />
      </div>
    </CardFrame>
  );
}

export function GateCard({ question, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const reason = words.text.trim();
  return (
    <CardFrame question={question} tone="risk" icon={<IconShieldExclamation size={18} />}>
      <Message question={question} closed={closed} />
      <Effects effects={question.effects} />
      <Words
        field={words}
        label="Reason for override"
        hint="Shown on the receipt. You can also reword the step."
        required
      />
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff || !reason}
          data-disabled={!reason || undefined}
          onClick={() => !isOff && reason && give({ answer: "reason", text: reason })}
        >
          Run {question.task} anyway
        </Button>
        <Leaving question={question} answering={answering} isOff={isOff} hasField />
      </div>
    </CardFrame>
  );
}

const unknownWays = [
  {
    answer: "check",
    title: "Check",
    line: "Looks at what happened, reverts what is half done, then continues.",
  },
  { answer: "repeat", title: "Repeat", line: "Runs it again, whatever happened." },
] as const;

export function UnknownCard({ question, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const offered = question.options.map((option) => option.label.toLowerCase());
  return (
    <CardFrame question={question} tone="bad" icon={<IconAlertTriangle size={18} />}>
      <Message question={question} closed={closed} />
      <ul className={styles.options} aria-label="Answers">
        {unknownWays
          .filter((way) => offered.length === 0 || offered.includes(way.answer))
          .map((way) => (
            <li key={way.answer}>
              <button
                type="button"
                className={styles.option}
                aria-disabled={isOff}
                onClick={(event) => !isOff && event.detail < 2 && give({ answer: way.answer })}
              >
                {way.title}
                <span className={styles.effect}> · {way.line}</span>
              </button>
            </li>
          ))}
        <li>
          <button
            type="button"
            className={styles.option}
            aria-disabled={isOff}
            onClick={(event) =>
              !isOff &&
              event.detail < 2 &&
              give({ answer: "skip", reason: words.text.trim() || "outcome unknown" })
            }
          >
            Skip
            <span className={styles.effect}> · Skips the step; what was done stays.</span>
          </button>
        </li>
      </ul>
      <Words field={words} label="Reason for skipping (optional)" />
    </CardFrame>
  );
}

export function FailureCard({ question, plan, answering, closed }: CardProps & { plan: string }) {
  const { isBusy, give } = answering;
  const isOff = isBusy || closed !== null;
  const step = useRunStep(question.run, question.task).data;
  const last = step?.actions.filter((action) => action.ok === false).at(-1);
  const output = outputText(last?.output ?? "").trimEnd();
  const ways = step?.model?.ways ?? [];
  return (
    <CardFrame
      question={question}
      tone="bad"
      icon={question.state === "refused" ? <IconHandStop size={18} /> : <IconX size={18} />}
    >
      <Message question={question} closed={closed} />
      {last && (
        <p className={styles.facts}>
          <Exact>{last.title}</Exact> · {last.summary}
        </p>
      )}
      {output && (
        <Exact block lines={10} label="The end of its output">
          {output}
        </Exact>
      )}
      {ways.length > 0 ? (
        <WayList
          plan={plan}
          run={question.run}
          task={question.task}
          ways={ways}
          closed={isOff ? (closed ?? "An answer is on its way") : null}
        />
      ) : (
        <div className={styles.buttons}>
          <Button
            size="xs"
            aria-disabled={isOff}
            onClick={() => !isOff && give({ answer: "retry" })}
          >
            Retry {question.task}
          </Button>
          <Leaving question={question} answering={answering} isOff={isOff} />
        </div>
      )}
    </CardFrame>
  );
}
