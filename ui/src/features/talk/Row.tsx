/** One row of a conversation, rendered by its kind. */
import {
  IconArrowsExchange,
  IconCornerDownRight,
  IconFileAlert,
  IconPlayerStop,
  IconRefresh,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { TalkItem, TalkRow, TalkView } from "../../api/bindings";
import { Rendered } from "../../components/Rendered";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { CallRow } from "./CallRow";
import { PermissionRow } from "./PermissionRow";
import { ProposalRow } from "./ProposalRow";
import { QuestionRow } from "./QuestionRow";
import styles from "./Talk.module.css";

const w = words.talk.conversation;

interface RowProps {
  row: TalkRow;
  previous: TalkRow | undefined;
  talk: TalkView;
  underGoal?: ReactNode;
}

export function Row({ row, previous, talk, underGoal }: RowProps) {
  const { item } = row;
  switch (item.kind) {
    case "said":
      return (
        <>
          <UserMessage item={item} />
          {row.index === 0 && item.purpose === "goal" && underGoal}
        </>
      );
    case "model":
      return (
        <>
          {!isOfModel(previous) && <p className={styles.model}>{talk.model}</p>}
          <ModelMessage html={item.html} />
        </>
      );
    case "call":
      return <CallRow item={item} session={talk.session} isWorking={talk.state === "working"} />;
    case "question":
      return <QuestionRow item={item} talk={talk} />;
    case "permission":
      return <PermissionRow item={item} talk={talk} />;
    case "proposal":
      return <ProposalRow item={item} index={row.index} talk={talk} />;
    case "mode":
      return <ModeRow item={item} />;
    case "notice":
      return (
        <p className={styles.notice}>
          {noticeIcons[item.about] ?? <IconCornerDownRight size={14} aria-hidden />}
          <span>{item.message}</span>
        </p>
      );
    case "ended":
      // If the last turn ended with a problem, `TurnEnd` shows it below the rows, with a way to fix it.
      return row.index === talk.rows - 1 && talk.trouble ? null : (
        <p className={styles.notice} data-tone={item.why === "cancelled" ? undefined : "bad"}>
          <IconPlayerStop size={14} aria-hidden />
          <span dir="auto">{item.trouble.message}</span>
        </p>
      );
  }
}

const noticeIcons: Record<string, ReactNode> = {
  outside: <IconFileAlert size={14} aria-hidden />,
  repair: <IconRefresh size={14} aria-hidden />,
};

/** Whether the row continues the model's turn, so that its name isn't repeated. */
function isOfModel(row: TalkRow | undefined): boolean {
  return row !== undefined && ["model", "call"].includes(row.item.kind);
}

/** A message of the model. Memoized, because the text of a row never changes. */
const ModelMessage = memo(function ModelMessage({ html }: { html: string }) {
  return (
    <div className={styles.answer}>
      <Rendered html={html} />
    </div>
  );
});

type Item<Kind extends TalkItem["kind"]> = Extract<TalkItem, { kind: Kind }>;

function UserMessage({ item }: { item: Item<"said"> }) {
  return (
    <section aria-label={w.yourMessage}>
      <p className={styles.who}>
        {w.you}
        {item.purpose === "work" && <span className={styles.dim}> {w.toRun}</span>}
        {item.purpose === "feedback" && item.revision && (
          <span className={styles.dim}>
            {" "}
            {w.requestedChanges(<code>{shortRevision(item.revision)}</code>)}
          </span>
        )}
      </p>
      <p className={styles.words} dir="auto">
        {item.words}
      </p>
    </section>
  );
}

function ModeRow({ item }: { item: Item<"mode"> }) {
  return (
    <p className={styles.notice}>
      <IconArrowsExchange size={14} aria-hidden />
      <span>
        {item.approved ? <>{w.approved(<code>{shortRevision(item.approved)}</code>)} </> : null}
        {item.by === "run_end" && <>{w.runEnded} </>}
        {words.talk.modes[item.to] ?? item.to}
      </span>
    </p>
  );
}
