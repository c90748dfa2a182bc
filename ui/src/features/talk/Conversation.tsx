/** A conversation with a model: its rows, the reply that is streaming in, errors, and the message box. Used beside a plan, and as a whole screen while there is no plan yet. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import type { TalkRow, TalkView } from "../../api/bindings";
import { useStopTalk } from "../../api/mutations";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { Composer } from "./Composer";
import { LiveReply } from "./LiveReply";
import { OtherChanges } from "./OtherChanges";
import { Row } from "./Row";
import styles from "./Talk.module.css";
import { TurnEnd } from "./TurnEnd";
import { useTalkActions } from "./useTalkActions";
import { useTalkWindow } from "./useTalkWindow";

const w = words.talk.conversation;

/** Within this distance from the end, in pixels, the view follows new rows. */
const nearEnd = 60;

interface ConversationProps {
  talk: TalkView;
  /** The requirements that were read from the goal, shown under it. */
  underGoal?: ReactNode;
  /** Shown after the rows. */
  children?: ReactNode;
}

export function Conversation({ talk, underGoal, children }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { mutate: stop } = useStopTalk();
  const window = useTalkWindow(talk, scroller);
  const follow = useFollowEnd(scroller);
  useTalkActions(talk);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || talk.state !== "working") return;
    event.preventDefault();
    // Keeps the surrounding drawer open.
    event.stopPropagation();
    stop(talk.session);
  };

  const previous = (index: number): TalkRow | undefined =>
    index > 0 ? window.row(index - 1) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is the key of the stop button inside
    <div className={styles.talk} onKeyDown={onKeyDown} data-talk>
      <div className={styles.said} ref={scroller} onScroll={follow.onScroll} data-talk-rows>
        {window.error ? (
          <ErrorState title={w.loadFailed} error={window.error} onRetry={window.retry} />
        ) : (
          <ol className="pw-list pw-column" aria-label={w.label} aria-busy={window.isPending}>
            {window.above > 0 && (
              <li style={{ height: window.above }} className="pw-rigid" aria-hidden />
            )}
            {window.indices.map((index) => {
              const row = window.row(index);
              return (
                <li
                  key={index}
                  ref={window.measure}
                  data-index={index}
                  className={styles.row}
                  data-kind={row?.item.kind}
                  aria-setsize={talk.rows}
                  aria-posinset={index + 1}
                >
                  {row ? (
                    <Row row={row} previous={previous(index)} talk={talk} underGoal={underGoal} />
                  ) : (
                    <Loading lines={1} label={w.loadingRow} />
                  )}
                </li>
              );
            })}
            {window.below > 0 && (
              <li style={{ height: window.below }} className="pw-rigid" aria-hidden />
            )}
          </ol>
        )}
        {talk.rows === 0 && talk.goal && (
          <section aria-label={w.yourMessage}>
            <p className={styles.who}>{w.you}</p>
            <p className={styles.words} dir="auto">
              {talk.goal}
            </p>
          </section>
        )}
        {talk.state === "working" && <LiveReply talk={talk} onGrown={follow.keep} />}
        <OtherChanges talk={talk} />
        <TurnEnd talk={talk} />
        {children}
        <Follower onDrawn={follow.keep} />
      </div>
      <Composer talk={talk} onSent={follow.toEnd} />
    </div>
  );
}

/** Calls `onDrawn` after every render. */
function Follower({ onDrawn }: { onDrawn: () => void }) {
  useLayoutEffect(onDrawn);
  return null;
}

/** Keeps the view at the end, unless the person has scrolled up. */
function useFollowEnd(scroller: React.RefObject<HTMLElement | null>) {
  const isAtEnd = useRef(true);
  const toEnd = () => {
    isAtEnd.current = true;
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  return {
    onScroll: () => {
      const box = scroller.current;
      if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    },
    keep: () => {
      if (isAtEnd.current) toEnd();
    },
    toEnd,
  };
}
