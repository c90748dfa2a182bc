/** A checkpoint by rule: what a step is about to destroy, or has destroyed, exactly; go on once, in this run or always here, no with words, or look first. */
import { Button } from "@mantine/core";
import { IconChevronDown, IconFlag3 } from "@tabler/icons-react";
import { useState } from "react";
import type { RunQuestion } from "../../../api/bindings";
import { Diff } from "../../../components/Diff";
import { Exact } from "../../../components/Exact";
import { MenuButton } from "../../../components/MenuButton";
import { showPanelOf } from "../panel";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Refusal } from "./Refusal";
import { ruleChoices } from "./rules";
import type { Answering } from "./useAnswering";

/** Subjects shown before the rest is asked for. */
const shownAtFirst = 10;

interface CardProps {
  question: RunQuestion;
  plan: string;
  answering: Answering;
  /** Why it cannot be answered here now. */
  closed: string | null;
}

export function DangerCard({ question, plan, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const [isWhole, setWhole] = useState(false);
  const asked = question.permission;
  const subjects = asked?.danger?.subjects ?? [];
  const isPast = asked?.danger?.is_past ?? false;
  const shown = isWhole ? subjects : subjects.slice(0, shownAtFirst);
  const isOff = isBusy || closed !== null;
  const isCommand = asked?.tool === "run_command";
  return (
    <CardFrame question={question} tone="bad" icon={<IconFlag3 size={18} />}>
      {subjects.length > 0 ? (
        <ul
          className={styles.subjects}
          aria-label={isPast ? "What was lost" : "What would be lost"}
        >
          {shown.map((subject) => (
            <li key={subject}>
              <Exact>{subject}</Exact>
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.message} dir="auto">
          {question.message}
        </p>
      )}
      {shown.length < subjects.length && (
        <div className={styles.buttons}>
          <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
            Show all {subjects.length}
          </Button>
        </div>
      )}
      {asked && isCommand && (
        <Exact block label="The whole command">
          {asked.subject}
        </Exact>
      )}
      {asked && asked.diff.length > 0 && (
        <div className={styles.frame}>
          <Diff lines={asked.diff} label={`What would change in ${asked.subject}`} height={14} />
        </div>
      )}
      <p className={styles.facts}>
        {isPast
          ? "This has happened already. Deny undoes the step’s changes."
          : "No checkpoint you answered covers this."}
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
          onClick={() => !isOff && give({ answer: "allow_once" })}
        >
          {isPast ? "Keep the result" : "Allow once"}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "allow_run" })}
        >
          Allow in this run
        </Button>
        {asked && asked.rules.length > 0 && (
          <MenuButton choices={ruleChoices(asked.rules, isOff, give)}>
            <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
              Always here…
            </Button>
          </MenuButton>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => showPanelOf(plan, "changes", question.run)}
        >
          Let me review first
        </Button>
        <Refusal
          words={words}
          label="Reason (kept with the step)"
          no="Deny"
          isOff={isOff}
          onRefuse={(said) => give({ answer: "deny", words: said || null })}
        />
      </div>
    </CardFrame>
  );
}
