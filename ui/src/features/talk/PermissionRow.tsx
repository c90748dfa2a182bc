/** A read-only command for which a permission rule requires a question: shows the full command and buttons to allow it once or for this conversation. Collapses to two lines once it is answered. */
import { Button } from "@mantine/core";
import { IconShieldQuestion } from "@tabler/icons-react";
import type { TalkItem, TalkView } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { Exact } from "../../components/Exact";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { Refusal } from "../run/cards/Refusal";
import { openQuestionId } from "./QuestionRow";
import styles from "./Talk.module.css";
import { useAnswerOnce } from "./useAnswerOnce";

const w = words.talk.permission;

interface PermissionRowProps {
  item: Extract<TalkItem, { kind: "permission" }>;
  talk: TalkView;
}

export function PermissionRow({ item, talk }: PermissionRowProps) {
  const { permission } = item;
  const title = permission.tool === "run_command" ? w.wantsCommand : w.wantsTool(permission.tool);
  if (item.is_open) return <OpenPermission key={item.call} item={item} talk={talk} title={title} />;
  return (
    <section className={styles.settled} aria-label={title}>
      <p className={styles.settledHead}>
        <IconShieldQuestion size={14} aria-hidden />
        <Exact>{permission.subject}</Exact>
      </p>
      <p className={styles.settledAnswer} dir="auto">
        {item.answer ?? w.unanswered}
      </p>
    </section>
  );
}

function OpenPermission({ item, talk, title }: PermissionRowProps & { title: string }) {
  const { permission, why } = item;
  const { isBusy, answer } = useAnswerOnce(talk.session, item.call);
  const draft = useDraft(talk.plan, `talk/no/${item.call}`);
  const isCommand = permission.tool === "run_command";
  const facts = [
    ...(isCommand ? [permission.is_shell ? w.shell : w.noShell] : []),
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
      <Exact block label={isCommand ? w.fullCommand : w.fullPath}>
        {permission.subject}
      </Exact>
      {permission.subject.length > 800 && (
        <p className={styles.dim}>{w.long(permission.subject.length)}</p>
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
          onClick={(event) => !isBusy && event.detail < 2 && answer({ answer: "once" })}
        >
          {w.once}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-disabled={isBusy}
          title={w.conversationTooltip}
          onClick={(event) => !isBusy && event.detail < 2 && answer({ answer: "session" })}
        >
          {w.conversation}
        </Button>
        <Refusal
          words={draft}
          label={w.instead}
          isOff={isBusy}
          onRefuse={(text) => answer({ answer: "no", words: text }, draft.drop)}
        />
      </div>
    </section>
  );
}
