/** A tool that asks: the whole command or path, what is known of it, what it would change, and how far a yes goes. */
import { Button } from "@mantine/core";
import { IconChevronDown, IconShieldQuestion } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { Diff } from "../../../components/Diff";
import { Exact } from "../../../components/Exact";
import { MenuButton } from "../../../components/MenuButton";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Refusal } from "./Refusal";
import { ruleChoices } from "./rules";
import type { Answering } from "./useAnswering";

const shellWords = (isShell: boolean) => (isShell ? "Shell" : "No shell");

interface CardProps {
  question: RunQuestion;
  answering: Answering;
  /** Why it cannot be answered here now. */
  closed: string | null;
}

export function PermissionCard({ question, answering, closed }: CardProps) {
  const { words, isBusy, give } = answering;
  const asked = question.permission;
  const isOff = isBusy || closed !== null;
  const facts = asked
    ? [...(asked.tool === "run_command" ? [shellWords(asked.is_shell)] : []), ...asked.facts].join(
        " · ",
      )
    : question.message;

  return (
    <CardFrame question={question} tone="risk" icon={<IconShieldQuestion size={18} />}>
      {asked && (
        <>
          <Exact
            block
            label={asked.tool === "run_command" ? "The whole command" : "The whole path"}
          >
            {asked.subject}
          </Exact>
          {asked.subject.length > 800 && (
            <p className={styles.hint}>
              {asked.subject.length.toLocaleString("en")} characters: read to the end before you
              allow it.
            </p>
          )}
        </>
      )}
      <p className={styles.facts} dir="auto">
        {facts}
      </p>
      {asked && asked.diff.length > 0 && (
        <div className={styles.frame}>
          <Diff lines={asked.diff} label={`What would change in ${asked.subject}`} height={14} />
        </div>
      )}
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "allow_once" })}
        >
          Allow once
        </Button>
        {asked && asked.rules.length > 0 && (
          <MenuButton choices={ruleChoices(asked.rules, isOff, give)}>
            <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} />}>
              Always…
            </Button>
          </MenuButton>
        )}
        <Button
          size="xs"
          variant="default"
          aria-disabled={isOff}
          onClick={() => !isOff && give({ answer: "allow_run" })}
        >
          For this run
        </Button>
        <Refusal
          words={words}
          label="Reason (sent to the step)"
          isOff={isOff}
          onRefuse={(said) => give({ answer: "deny", words: said || null })}
        />
      </div>
    </CardFrame>
  );
}
