/** One row of a conversation, by its kind. */
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
import { shortRevision } from "../run/words";
import { CallRow } from "./CallRow";
import { PermissionRow } from "./PermissionRow";
import { ProposalRow } from "./ProposalRow";
import { QuestionRow } from "./QuestionRow";
import styles from "./Talk.module.css";
import { modeWords } from "./words";

interface RowProps {
  row: TalkRow;
  before: TalkRow | undefined;
  talk: TalkView;
  underGoal?: ReactNode;
}

export function Row({ row, before, talk, underGoal }: RowProps) {
  const { item } = row;
  switch (item.kind) {
    case "said":
      return (
        <>
          <Said item={item} />
          {row.index === 0 && item.purpose === "goal" && underGoal}
        </>
      );
    case "model":
      return (
        <>
          {!isOfModel(before) && <p className={styles.model}>{talk.model}</p>}
          <Words html={item.html} />
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
      // The last one is told below the rows, with what helps.
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

/** What a person reads as the model going on. */
function isOfModel(row: TalkRow | undefined): boolean {
  return row !== undefined && ["model", "call"].includes(row.item.kind);
}

/** Drawn once: the words of a row never change. */
const Words = memo(function Words({ html }: { html: string }) {
  return (
    <div className={styles.answer}>
      <Rendered html={html} />
    </div>
  );
});

type Item<Kind extends TalkItem["kind"]> = Extract<TalkItem, { kind: Kind }>;

function Said({ item }: { item: Item<"said"> }) {
  return (
    <section aria-label="You said">
      <p className={styles.who}>
        You
        {item.purpose === "work" && <span className={styles.dim}> to the run</span>}
        {item.purpose === "feedback" && item.revision && (
          <span className={styles.dim}>
            {" "}
            asked for changes to <code>{shortRevision(item.revision)}</code>
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
        {item.approved ? (
          <>
            You approved <code>{shortRevision(item.approved)}</code>.{" "}
          </>
        ) : null}
        {item.by === "run_end" ? "The run is over. " : ""}
        {modeWords(item.to)}
      </span>
    </p>
  );
}
