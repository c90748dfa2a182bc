/** The card of a tool call that needs permission: the full command or path, facts about it, what it would change, and how far the permission extends. */
import { Button } from "@mantine/core";
import { IconChevronDown, IconShieldQuestion } from "@tabler/icons-react";
import type { RunQuestion } from "../../../api/bindings";
import { Diff } from "../../../components/Diff";
import { Exact } from "../../../components/Exact";
import { MenuButton } from "../../../components/MenuButton";
import { words } from "../../../words";
import styles from "./Card.module.css";
import { CardFrame } from "./CardFrame";
import { Refusal } from "./Refusal";
import { ruleChoices } from "./rules";
import type { CardAnswer } from "./useCardAnswer";

interface CardProps {
  question: RunQuestion;
  answer: CardAnswer;
  /** Why it can't be answered here now. */
  closed: string | null;
}

export function PermissionCard({ question, answer, closed }: CardProps) {
  const { draft, isBusy, submit } = answer;
  const asked = question.permission;
  const isOff = isBusy || closed !== null;
  const isCommand = asked?.tool === "run_command";
  const shell = asked?.is_shell
    ? words.runCards.permission.shell
    : words.runCards.permission.noShell;
  const facts = asked
    ? [...(isCommand ? [shell] : []), ...asked.facts].join(" · ")
    : question.message;

  return (
    <CardFrame question={question} tone="risk" icon={<IconShieldQuestion size={18} />}>
      {asked && (
        <>
          <Exact
            block
            label={isCommand ? words.runCards.permission.command : words.runCards.permission.path}
          >
            {asked.subject}
          </Exact>
          {asked.subject.length > 800 && (
            <p className="pw-hint pw-leading-16">
              {words.runCards.permission.readAll(asked.subject.length)}
            </p>
          )}
        </>
      )}
      <p className={styles.facts} dir="auto">
        {facts}
      </p>
      {asked && asked.diff.length > 0 && (
        <div className="pw-frame pw-clip">
          <Diff
            lines={asked.diff}
            label={words.runCards.permission.changes(asked.subject)}
            height={14}
          />
        </div>
      )}
      {closed && <p className={styles.notice}>{closed}</p>}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "allow_once" })}
        >
          {words.runCards.permission.allowOnce}
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
          aria-disabled={isOff}
          onClick={() => !isOff && submit({ answer: "allow_run" })}
        >
          {words.runCards.permission.allowRun}
        </Button>
        <Refusal
          words={draft}
          label={words.runCards.permission.reason}
          isOff={isOff}
          onRefuse={(reason) => submit({ answer: "deny", words: reason || null })}
        />
      </div>
    </CardFrame>
  );
}
