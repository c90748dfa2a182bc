/** Cards about a step that you have to do, that the quality gate blocks, whose outcome is unknown, or that failed. */
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
import { words } from "../../../words";
import { RecoveryList } from "../Recovery";
import { AnswerField } from "./AnswerField";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { SkipButtons } from "./SkipButtons";
import type { CardAnswer } from "./useCardAnswer";

interface CardProps {
  question: RunQuestion;
  answer: CardAnswer;
  closed: string | null;
}

function Message({ question, closed }: { question: RunQuestion; closed: string | null }) {
  return (
    <>
      <p className="pw-exact" dir="auto">
        {/* The message quotes the interrupted command. */}
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

export function PersonCard({ question, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  return (
    <CardFrame question={question} tone="warn" icon={<IconUser size={18} />}>
      <Message question={question} closed={closed} />
      <AnswerField
        draft={draft}
        label={words.runCards.person.note}
        hint={words.runCards.person.noteHint}
      />
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "done", note: draft.text.trim() || null })}
        >
          {words.runCards.person.markAsDone}
        </Button>
        <SkipButtons question={question} answer={answer} isOff={isOff} hasField />
      </div>
    </CardFrame>
  );
}

export function GateCard({ question, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  const reason = draft.text.trim();
  return (
    <CardFrame question={question} tone="risk" icon={<IconShieldExclamation size={18} />}>
      <Message question={question} closed={closed} />
      <Effects effects={question.effects} />
      <AnswerField
        draft={draft}
        label={words.runCards.gate.reason}
        hint={words.runCards.gate.reasonHint}
        required
      />
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff || !reason}
          data-disabled={!reason || undefined}
          onClick={() => !isOff && reason && submit({ answer: "reason", text: reason })}
        >
          {words.runCards.gate.runAnyway(question.task)}
        </Button>
        <SkipButtons question={question} answer={answer} isOff={isOff} hasField />
      </div>
    </CardFrame>
  );
}

const unknownOptions = [
  {
    answer: "check",
    title: words.runCards.unknown.check,
    line: words.runCards.unknown.checkLine,
  },
  {
    answer: "repeat",
    title: words.runCards.unknown.repeat,
    line: words.runCards.unknown.repeatLine,
  },
] as const;

export function UnknownCard({ question, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  const offered = question.options.map((option) => option.label.toLowerCase());
  return (
    <CardFrame question={question} tone="bad" icon={<IconAlertTriangle size={18} />}>
      <Message question={question} closed={closed} />
      <ul className="pw-list pw-column pw-gap-6" aria-label={words.runCards.card.answers}>
        {unknownOptions
          .filter((option) => offered.length === 0 || offered.includes(option.answer))
          .map((option) => (
            <li key={option.answer}>
              <button
                type="button"
                className={styles.option}
                aria-disabled={isOff}
                onClick={(event) => !isOff && event.detail < 2 && submit({ answer: option.answer })}
              >
                {option.title}
                <span className={styles.effect}> · {option.line}</span>
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
              submit({
                answer: "skip",
                reason: draft.text.trim() || words.runCards.unknown.defaultReason,
              })
            }
          >
            {words.runCards.unknown.skip}
            <span className={styles.effect}> · {words.runCards.unknown.skipLine}</span>
          </button>
        </li>
      </ul>
      <AnswerField draft={draft} label={words.runCards.unknown.skipReason} />
    </CardFrame>
  );
}

export function FailureCard({ question, plan, answer, closed }: CardProps & { plan: string }) {
  const { isBusy, submit } = answer;
  const isOff = isBusy || closed !== null;
  const step = useRunStep(question.run, question.task).data;
  const last = step?.actions.filter((action) => action.ok === false).at(-1);
  const output = outputText(last?.output ?? "").trimEnd();
  const recoveryOptions = step?.model?.ways ?? [];
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
        <Exact block lines={10} label={words.runCards.failure.output}>
          {output}
        </Exact>
      )}
      {recoveryOptions.length > 0 ? (
        <RecoveryList
          plan={plan}
          run={question.run}
          task={question.task}
          options={recoveryOptions}
          closed={isOff ? (closed ?? words.runCards.card.sending) : null}
        />
      ) : (
        <div className={styles.buttons}>
          <Button
            size="xs"
            aria-disabled={isOff}
            onClick={() => !isOff && submit({ answer: "retry" })}
          >
            {words.runCards.card.retry(question.task)}
          </Button>
          <SkipButtons question={question} answer={answer} isOff={isOff} />
        </div>
      )}
    </CardFrame>
  );
}
