/** The rows in view of a plan that may be long: pages of 100 on demand, a virtual list of variable heights.
 *  When the plan gets a new revision the rows of the old one stay until those of the new one are there, so that nothing flickers. */
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useState } from "react";
import type { Outline, Row } from "../../api/bindings";
import { useRows } from "../../api/queries";
import { useRowReader } from "../../api/rowReader";

/** Height of a row with one line of details, in pixels. */
const usualHeight = 54;
const gap = 4;
const overscan = 8;

interface Parts {
  scroller: RefObject<HTMLElement | null>;
  /** All that stands above the list; its height shifts the rows. */
  head: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
}

/** @param pinned the row that stays mounted out of view, because it is being edited or dragged */
export function useRowWindow(outline: Outline, parts: Parts, pinned: number | null) {
  const [shown, setShown] = useState(outline);
  const [arrived, setArrived] = useState("");
  const reader = useRowReader(shown.plan, shown.revision);
  const margin = useMargin(parts);

  const virtualizer = useVirtualizer({
    count: shown.rows,
    getScrollElement: () => parts.scroller.current,
    estimateSize: () => usualHeight,
    gap,
    overscan,
    // Frames are drawn when there is time, not inside each scroll event.
    useFlushSync: false,
    scrollMargin: margin,
    // Heights belong to tasks, not to places: they move with them.
    // biome-ignore lint/correctness/useExhaustiveDependencies: keys are known anew when a page arrives
    getItemKey: useCallback((index: number) => reader.peek(index)?.id ?? index, [reader, arrived]),
    rangeExtractor: useCallback(
      (range: Range) => {
        const visible = defaultRangeExtractor(range);
        if (pinned === null || pinned >= range.count || visible.includes(pinned)) return visible;
        return [...visible, pinned].sort((one, other) => one - other);
      },
      [pinned],
    ),
  });
  const items = virtualizer.getVirtualItems();
  const range = virtualizer.range;
  const from = Math.max(0, (range?.startIndex ?? 0) - overscan);
  const to = (range?.endIndex ?? overscan) + overscan + 1;

  const next = useRows(outline.plan, outline.revision, from, Math.min(to, outline.rows));
  const rows = useRows(shown.plan, shown.revision, from, Math.min(to, shown.rows));
  if (shown !== outline && !next.isPending) setShown(outline);
  const stamp = `${shown.revision} ${Math.floor(from / 100)} ${Math.floor(to / 100)} ${rows.isPending}`;
  if (stamp !== arrived) setArrived(stamp);

  return {
    shown,
    reader,
    virtualizer,
    items,
    error: rows.error,
    row: (index: number): Row | undefined => rows.row(index) ?? reader.peek(index),
  };
}

export type RowWindow = ReturnType<typeof useRowWindow>;

/** Where the list begins in what scrolls, followed as requirements, notices and fields above it come and go. */
function useMargin({ head, list }: Parts): number {
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const above = head.current;
    if (!above) return;
    const measure = () => setMargin(list.current?.offsetTop ?? 0);
    const observer = new ResizeObserver(measure);
    observer.observe(above);
    measure();
    return () => observer.disconnect();
  }, [head, list]);
  return margin;
}
