/** The card of a destructive action: lists exactly what a step would destroy or has destroyed. The person can allow it once, for this run or always, deny it, or review it first. */
import { Button } from "@mantine/core";
import { IconChevronDown, IconFlag3 } from "@tabler/icons-react";
import { useState } from "react";
import type { RunQuestion } from "../../../api/bindings";
import { Diff } from "../../../components/Diff";
import { Exact } from "../../../components/Exact";
import { MenuButton } from "../../../components/MenuButton";
import { words } from "../../../words";
import { showPanelOf } from "../panel";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Refusal } from "./Refusal";
import { ruleChoices } from "./rules";
import type { CardAnswer } from "./useCardAnswer";

/** Number of destroyed items shown at first. */
const initiallyShown = 10;

interface CardProps {
  question: RunQuestion;
  plan: string;
  answer: CardAnswer;
  /** Why it can't be answered here now. */
  closed: string | null;
}

export function DangerCard({ question, plan, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const [isExpanded, setExpanded] = useState(false);
  const asked = question.permission;
  const subjects = asked?.danger?.subjects ?? [];
  const isPast = asked?.danger?.is_past ?? false;
  const shown = isExpanded ? subjects : subjects.slice(0, initiallyShown);
  const isOff = isBusy || closed !== null;
  const isCommand = asked?.tool === "run_command";
  return (
    <CardFrame question={question} tone="bad" icon={<IconFlag3 size={18} />}>
      {subjects.length > 0 ? (
        <ul
          className={styles.subjects}
          aria-label={isPast ? words.runCards.danger.lost : words.runCards.danger.wouldBeLost}
        >
          {shown.map((subject) => (
            <li key={subject}>
              <Exact>{subject}</Exact>
            </li>
          ))}
        </ul>
      ) : (
        <p className="pw-exact" dir="auto">
          {question.message}
        </p>
      )}
      {shown.length < subjects.length && (
        <div className={styles.buttons}>
          <Button size="compact-xs" variant="subtle" onClick={() => setExpanded(true)}>
            {words.runCards.danger.showAll(subjects.length)}
          </Button>
        </div>
      )}
      {asked && isCommand && (
        <Exact block label={words.runCards.permission.command}>
          {asked.subject}
        </Exact>
      )}
      {asked && asked.diff.length > 0 && (
        <div className="pw-frame pw-clip">
          <Diff
            lines={asked.diff}
            label={words.runCards.permission.changes(asked.subject)}
            height={14}
          />
        </div>
      )}
      <p className={styles.facts}>
        {isPast ? words.runCards.danger.isPast : words.runCards.danger.isNotCovered}
      </p>
      {asked && (
        <p className={styles.facts} dir="auto">
          {asked.facts.join(" · ")}
        </p>
      )}
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "allow_once" })}
        >
          {isPast ? words.runCards.danger.keepResult : words.runCards.permission.allowOnce}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "allow_run" })}
        >
          {words.runCards.permission.allowRun}
        </Button>
        {asked && asked.rules.length > 0 && (
          <MenuButton choices={ruleChoices(asked.rules, isOff, submit)}>
            <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
              {words.runCards.permission.always}
            </Button>
          </MenuButton>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => showPanelOf(plan, "changes", question.run)}
        >
          {words.runCards.card.review}
        </Button>
        <Refusal
          words={draft}
          label={words.runCards.danger.reason}
          isOff={isOff}
          onRefuse={(reason) => submit({ answer: "deny", words: reason || null })}
        />
      </div>
    </CardFrame>
  );
}
