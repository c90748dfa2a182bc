/**
 * The rows in view of a plan of any length: pages loaded on demand, in a virtual list of the rows that neither folds
 * nor the filter hide. Rows of the previous revision stay until those of the new one are loaded, to avoid flicker.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { Outline, Row } from "../../api/bindings";
import { useRowRuns, useRows } from "../../api/queries";
import { pageSize } from "../../api/rowPages";
import { useRowReader } from "../../api/rowReader";
import { type Order, orderOf, type RowRange } from "./order";
import { type OutlineView, useOutlineView } from "./view";

/** Height of a row with one line of details, in pixels. */
const usualHeight = 54;
const gap = 4;
const overscan = 8;

interface Parts {
  scroller: RefObject<HTMLElement | null>;
  /** The element with everything above the list. Its height moves the rows. */
  head: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
}

/** A line of the list and the row it shows. */
export interface Line {
  /** The row's index in the plan. */
  index: number;
  /** Its index in the list on screen. */
  line: number;
  start: number;
}

/** @param pinned a row that stays mounted out of view, because it is edited or dragged */
export function useRowWindow(outline: Outline, parts: Parts, pinned: number | null) {
  const [shown, setShown] = useState(outline);
  const [arrived, setArrived] = useState("");
  const view = useOutlineView(outline.plan);
  const reader = useRowReader(shown.plan, shown.revision);
  const margin = useMargin(parts);

  const nextRanges = useRanges(outline, view);
  const ranges = useRanges(shown, view);
  // While a new filter loads, the old rows stay.
  const [order, setOrder] = useState<{ of: unknown; order: Order }>(() => ({
    of: null,
    order: orderOf([[0, shown.rows]], shown.rows),
  }));
  if (ranges && order.of !== ranges) {
    setOrder({ of: ranges, order: orderOf(ranges, shown.rows) });
  }
  const { lines, rowOf, lineOf } = order.order;
  const pinnedLine = pinned === null ? null : lineOf(pinned);

  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => parts.scroller.current,
    estimateSize: () => usualHeight,
    gap,
    overscan,
    // Rendering synchronously in each scroll event would make scrolling jerky.
    useFlushSync: false,
    scrollMargin: margin,
    // Measured heights belong to steps, not to positions.
    // biome-ignore lint/correctness/useExhaustiveDependencies: keys change when a page arrives
    getItemKey: useMemo(
      () => lineKeys(lines, rowOf, reader.ids()),
      [reader, arrived, lines, rowOf],
    ),
    rangeExtractor: useCallback(
      (range: Range) => {
        const visible = defaultRangeExtractor(range);
        if (pinnedLine === null || pinnedLine >= range.count || visible.includes(pinnedLine))
          return visible;
        return [...visible, pinnedLine].sort((one, other) => one - other);
      },
      [pinnedLine],
    ),
  });
  const range = virtualizer.range;
  const from = Math.max(0, (range?.startIndex ?? 0) - overscan);
  const to = (range?.endIndex ?? overscan) + overscan + 1;
  const pages = pagesOf(order.order, from, to);

  const next = useRows(outline.plan, outline.revision, pages);
  const rows = useRows(shown.plan, shown.revision, pages);
  if (shown !== outline && !next.isPending && nextRanges) setShown(outline);
  const stamp = `${shown.revision} ${pages.join()} ${rows.isPending}`;
  if (stamp !== arrived) setArrived(stamp);

  const items: Line[] = virtualizer
    .getVirtualItems()
    .map((item) => ({ index: rowOf(item.index), line: item.index, start: item.start }));

  return {
    shown,
    view,
    order: order.order,
    reader,
    virtualizer,
    items,
    error: rows.error,
    row: (index: number): Row | undefined => rows.row(index) ?? reader.peek(index),
  };
}

/** A key for each line: the step's id, plus its index if an earlier line has the same id. Computed once, because the list requests every key on each measurement. */
function lineKeys(
  lines: number,
  rowOf: (line: number) => number,
  idOf: (index: number) => string | undefined,
): (line: number) => string | number {
  let known: (string | number)[] | null = null;
  const make = () => {
    const seen = new Set<string>();
    return Array.from({ length: lines }, (_, line) => {
      const index = rowOf(line);
      const id = idOf(index);
      if (id === undefined) return index;
      const key = seen.has(id) ? `${id} ${index}` : id;
      seen.add(id);
      return key;
    });
  };
  return (line) => {
    known ??= make();
    return known[line] ?? line;
  };
}

/** The visible rows; `null` while they load. */
function useRanges(outline: Outline, view: OutlineView): RowRange[] | null {
  const { plan, revision, rows } = outline;
  const whole = useMemo<RowRange[]>(() => [[0, rows]], [rows]);
  const filtered = useRowRuns(plan, revision, view.isWhole ? null : view.filter);
  if (view.isWhole) return whole;
  return filtered.data?.revision === revision ? filtered.data.runs : null;
}

/** The pages with the rows of these lines. */
function pagesOf(order: Order, from: number, to: number): number[] {
  const pages = new Set<number>();
  for (let line = from; line < Math.min(to, order.lines); line += 1) {
    pages.add(Math.floor(order.rowOf(line) / pageSize));
  }
  if (pages.size === 0) pages.add(0);
  return [...pages];
}

export type RowWindow = ReturnType<typeof useRowWindow>;

/** The offset of the list in the scroller, updated when the head above it changes height. */
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
