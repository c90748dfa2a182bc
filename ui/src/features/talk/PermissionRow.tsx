/** A read-only command that a permission rule asks about: the whole command, wrapped, and how far a yes goes. Answered, it is two lines. */
import { Button } from "@mantine/core";
import { IconShieldQuestion } from "@tabler/icons-react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { Exact } from "../../components/Exact";
import { Inline } from "../../components/Inline";
import { Refusal } from "../run/cards/Refusal";
import { openQuestionId } from "./QuestionRow";
import styles from "./Talk.module.css";
import { useGiving } from "./useGiving";

interface PermissionRowProps {
  item: Extract<TalkItem, { kind: "permission" }>;
  talk: TalkView;
}

export function PermissionRow({ item, talk }: PermissionRowProps) {
  const { permission } = item;
  const title =
    permission.tool === "run_command"
      ? "The model wants to run a command"
      : `The model wants to use ${permission.tool}`;
  if (item.is_open) return <OpenPermission key={item.call} item={item} talk={talk} title={title} />;
  return (
    <section className={styles.settled} aria-label={title}>
      <p className={styles.settledHead}>
        <IconShieldQuestion size={14} aria-hidden />
        <Exact>{permission.subject}</Exact>
      </p>
      <p className={styles.settledAnswer} dir="auto">
        {item.answer ?? "Nobody answered; it was not done."}
      </p>
    </section>
  );
}

function OpenPermission({ item, talk, title }: PermissionRowProps & { title: string }) {
  const { permission, why } = item;
  const { isBusy, give } = useGiving(talk.session, item.call);
  const words = useDraft(talk.plan, `talk/no/${item.call}`);
  const isCommand = permission.tool === "run_command";
  const facts = [
    ...(isCommand ? [permission.is_shell ? "shell yes" : "shell no"] : []),
    ...permission.facts,
  ];
  return (
    <section
      id={openQuestionId}
      className={styles.card}
      data-tone="risk"
      aria-labelledby={`${openQuestionId}-title`}
      tabIndex={-1}
    >
      <h3 id={`${openQuestionId}-title`} className={styles.cardHead}>
        <IconShieldQuestion size={18} aria-hidden className={styles.sign} />
        <span>{title}</span>
      </h3>
      <Exact block label={isCommand ? "The whole command" : "The whole path"}>
        {permission.subject}
      </Exact>
      {permission.subject.length > 800 && (
        <p className={styles.dim}>
          {permission.subject.length.toLocaleString("en")} signs: read it to its end before you
          allow it.
        </p>
      )}
      {(facts.length > 0 || why) && (
        <p className={styles.dim} dir="auto">
          {facts.join(" · ")}
          {facts.length > 0 && why && <br />}
          <Inline>{why}</Inline>
        </p>
      )}
      <div className={styles.buttons}>
        <Button
          size="xs"
          aria-disabled={isBusy}
          onClick={(event) => !isBusy && event.detail < 2 && give({ answer: "once" })}
        >
          Allow once
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-disabled={isBusy}
          title="The same request is not asked about again in this conversation"
          onClick={(event) => !isBusy && event.detail < 2 && give({ answer: "session" })}
        >
          In this conversation
        </Button>
        <Refusal
          words={words}
          label="What to do instead (optional)"
          isOff={isBusy}
          onRefuse={(said) => give({ answer: "no", words: said }, words.drop)}
        />
      </div>
    </section>
  );
}
