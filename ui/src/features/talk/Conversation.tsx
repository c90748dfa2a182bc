/** A conversation with a model: its rows, what is being said now, what went wrong, and the box to write in. The same beside a plan and on a screen of its own while the plan is not written yet. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import type { TalkRow, TalkView } from "../../api/bindings";
import { useStopTalk } from "../../api/mutations";
import { ErrorState, Loading } from "../../components/States";
import { Composer } from "./Composer";
import { LiveReply } from "./LiveReply";
import { OtherChanges } from "./OtherChanges";
import { Row } from "./Row";
import styles from "./Talk.module.css";
import { TurnEnd } from "./TurnEnd";
import { useTalkActions } from "./useTalkActions";
import { useTalkWindow } from "./useTalkWindow";

/** This near to the end, in pixels, the view follows what is said. */
const nearEnd = 60;

interface ConversationProps {
  talk: TalkView;
  /** Under the first goal: what was read from it. */
  underGoal?: ReactNode;
  /** Behind the rows: what waits besides. */
  children?: ReactNode;
}

export function Conversation({ talk, underGoal, children }: ConversationProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { mutate: stop } = useStopTalk();
  const window = useTalkWindow(talk, scroller);
  const follow = useFollowing(scroller);
  useTalkActions(talk);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || talk.state !== "working") return;
    event.preventDefault();
    // A drawer that this is in stays open.
    event.stopPropagation();
    stop(talk.session);
  };

  const before = (index: number): TalkRow | undefined =>
    index > 0 ? window.row(index - 1) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is the key of the stop button, which is in here
    <div className={styles.talk} onKeyDown={onKeyDown} data-talk>
      <div className={styles.said} ref={scroller} onScroll={follow.onScroll} data-talk-rows>
        {window.error ? (
          <ErrorState
            title="The conversation cannot be read"
            error={window.error}
            onRetry={window.retry}
          />
        ) : (
          <ol className={styles.rows} aria-label="Conversation" aria-busy={window.isPending}>
            {window.above > 0 && (
              <li style={{ height: window.above }} className={styles.space} aria-hidden />
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
                    <Row row={row} before={before(index)} talk={talk} underGoal={underGoal} />
                  ) : (
                    <Loading lines={1} label="Loading a row" />
                  )}
                </li>
              );
            })}
            {window.below > 0 && (
              <li style={{ height: window.below }} className={styles.space} aria-hidden />
            )}
          </ol>
        )}
        {talk.rows === 0 && talk.goal && (
          <section aria-label="You said">
            <p className={styles.who}>You</p>
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
      <Composer talk={talk} onSaid={follow.toEnd} />
    </div>
  );
}

/** Calls back when what is drawn has changed. */
function Follower({ onDrawn }: { onDrawn: () => void }) {
  useLayoutEffect(onDrawn);
  return null;
}

/** Stays at the end while one is there; who has scrolled up is left alone. */
function useFollowing(scroller: React.RefObject<HTMLElement | null>) {
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
