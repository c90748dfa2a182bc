/** Selects the rows of a conversation to render: all of a short one, only those in view of a long one. Fetches the pages of the rendered rows. */
import { useVirtualizer } from "@tanstack/react-virtual";
import type { RefObject } from "react";
import type { TalkRow, TalkView } from "../../api/bindings";
import { talkPageSize, useTalkRows } from "../../api/talk";

/** Number of rows above which only those in view are rendered. */
export const longTalk = 200;
const usualHeight = 48;
const gap = 14;
const overscan = 8;

export interface TalkWindow {
  /** The rendered rows, in order. */
  indices: number[];
  row: (index: number) => TalkRow | undefined;
  /** The height of the rows that aren't rendered, in pixels. */
  above: number;
  below: number;
  measure: ((element: HTMLElement | null) => void) | undefined;
  error: Error | null;
  isPending: boolean;
  retry: () => void;
}

export function useTalkWindow(talk: TalkView, scroller: RefObject<HTMLElement | null>): TalkWindow {
  const isLong = talk.rows > longTalk;
  const virtualizer = useVirtualizer({
    count: isLong ? talk.rows : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    gap,
    overscan,
    useFlushSync: false,
    // Opens at the end, where the latest messages are.
    initialOffset: () => talk.rows * (usualHeight + gap),
  });
  const items = virtualizer.getVirtualItems();
  const indices = isLong
    ? items.map((item) => item.index)
    : Array.from({ length: talk.rows }, (_, index) => index);
  const pages = [...new Set(indices.map((index) => Math.floor(index / talkPageSize)))];
  const rows = useTalkRows(talk.session, pages);
  const last = items.at(-1);
  return {
    indices,
    row: rows.row,
    above: isLong ? (items[0]?.start ?? 0) : 0,
    below: isLong && last ? virtualizer.getTotalSize() - last.end : 0,
    measure: isLong ? virtualizer.measureElement : undefined,
    error: rows.error,
    isPending: rows.isPending,
    retry: rows.retry,
  };
}
