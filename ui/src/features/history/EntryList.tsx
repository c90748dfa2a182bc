/** The entries of a plan's history, newest first, in a list box. Older ones are loaded when it is scrolled near its end. */
import { Button } from "@mantine/core";
import { IconBookmark, IconCheck } from "@tabler/icons-react";
import { type KeyboardEvent, memo, type UIEvent, useEffect, useId, useRef } from "react";
import type { HistoryEntry } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { words } from "../../words";
import styles from "./EntryList.module.css";
import { ago, entryLine, entryTitle, exactTime } from "./format";
import { useNow } from "./useNow";

const text = words.history.entries;

/** Distance from the end, in pixels, at which older entries are loaded. */
const loadAheadPx = 400;
/** Number of entries that PageUp and PageDown move by. */
const pageSize = 8;

export interface EntryListProps {
  entries: HistoryEntry[];
  at: number | null;
  /** The entry that the selected entry is compared with. */
  marked: number | null;
  /** The plan's current revision. */
  now: string;
  hasMore: boolean;
  isFetching: boolean;
  onSelect: (seq: number) => void;
  onMark: (seq: number) => void;
  onMore: () => void;
}

export function EntryList(props: EntryListProps) {
  const { entries, at, marked, hasMore, isFetching, onSelect, onMark, onMore } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const time = useNow();
  const index = entries.findIndex((entry) => entry.seq === at);

  // Takes focus if opened by keyboard.
  useEffect(() => {
    if (document.activeElement?.id === "centre") list.current?.focus({ preventScroll: true });
  }, []);

  useEffect(() => {
    if (at !== null) {
      document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
    }
  }, [at, id]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = entries.length - 1;
    const next = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + pageSize,
      PageUp: index - pageSize,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (next >= last && hasMore && !isFetching) onMore();
    const entry = entries[Math.max(0, Math.min(last, next))];
    if (entry) onSelect(entry.seq);
  };
  const onScroll = ({ currentTarget: box }: UIEvent) => {
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (left < loadAheadPx && hasMore && !isFetching) onMore();
  };

  return (
    <div className={styles.side} onScroll={onScroll}>
      <div
        ref={list}
        className={styles.list}
        role="listbox"
        aria-label={text.list}
        aria-activedescendant={at === null ? undefined : `${id}-${at}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {entries.map((entry) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list keeps focus
          <div
            key={entry.seq}
            id={`${id}-${entry.seq}`}
            role="option"
            aria-selected={entry.seq === at}
            className={styles.entry}
            onClick={(event) => (event.shiftKey ? onMark(entry.seq) : onSelect(entry.seq))}
          >
            <Entry
              entry={entry}
              time={time}
              isMarked={entry.seq === marked}
              isNow={entry === entries[0] && entry.revision === props.now}
            />
          </div>
        ))}
      </div>
      {hasMore && (
        <Button
          className={styles.more}
          variant="subtle"
          size="compact-xs"
          loading={isFetching}
          onClick={onMore}
        >
          {text.more}
        </Button>
      )}
    </div>
  );
}

interface EntryProps {
  entry: HistoryEntry;
  time: number;
  isMarked: boolean;
  isNow: boolean;
}

const Entry = memo(function Entry({ entry, time, isMarked, isNow }: EntryProps) {
  return (
    <>
      <span className="pw-line pw-between pw-gap-10">
        <span className={styles.title} dir="auto">
          {entryTitle(entry)}
        </span>
        <time
          className={styles.time}
          dateTime={new Date(entry.at_ms).toISOString()}
          title={exactTime(entry.at_ms)}
        >
          {ago(entry.at_ms, time)}
        </time>
      </span>
      <span className={styles.line} dir="auto" title={entry.summary || undefined}>
        {entryLine(entry)}
      </span>
      {entry.moved_from && (
        <span className={styles.line}>
          {text.movedFrom} <bdi className="pw-mono">{entry.moved_from}</bdi>
        </span>
      )}
      {(entry.is_approved || isMarked || isNow) && (
        <span className={styles.chips}>
          {isNow && <Chip>{text.current}</Chip>}
          {entry.is_approved && (
            <Chip tone="good" icon={<IconCheck size={12} aria-hidden />}>
              {text.approved}
            </Chip>
          )}
          {isMarked && (
            <Chip tone="outline" icon={<IconBookmark size={12} aria-hidden />}>
              {text.marked}
            </Chip>
          )}
        </span>
      )}
    </>
  );
});
