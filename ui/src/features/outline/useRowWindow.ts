/** The rows in view of a plan that may be long: pages of 100 on demand, a virtual list of variable heights, of the rows that folds and filter leave.
 *  When the plan gets a new revision the rows of the old one stay until those of the new one are there, so that nothing flickers. */
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { Outline, Row } from "../../api/bindings";
import { useRowRuns, useRows } from "../../api/queries";
import { pageSize } from "../../api/rowPages";
import { useRowReader } from "../../api/rowReader";
import { type Order, orderOf, type Run } from "./order";
import { type OutlineView, useOutlineView } from "./view";

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

/** A line of the list: the virtual item, and the row of the plan it shows. */
export interface Line {
  /** The row's index in the plan. */
  index: number;
  /** Its place in the list. */
  line: number;
  start: number;
}

/** @param pinned the row that stays mounted out of view, because it is being edited or dragged */
export function useRowWindow(outline: Outline, parts: Parts, pinned: number | null) {
  const [shown, setShown] = useState(outline);
  const [arrived, setArrived] = useState("");
  const view = useOutlineView(outline.plan);
  const reader = useRowReader(shown.plan, shown.revision);
  const margin = useMargin(parts);

  const nextRuns = useRuns(outline, view);
  const runs = useRuns(shown, view);
  // While the answer for another filter is on its way, the rows stay as they are.
  const [order, setOrder] = useState<{ of: unknown; order: Order }>(() => ({
    of: null,
    order: orderOf([[0, shown.rows]], shown.rows),
  }));
  if (runs && order.of !== runs) setOrder({ of: runs, order: orderOf(runs, shown.rows) });
  const { lines, rowOf, lineOf } = order.order;
  const pinnedLine = pinned === null ? null : lineOf(pinned);

  const virtualizer = useVirtualizer({
    count: lines,
    getScrollElement: () => parts.scroller.current,
    estimateSize: () => usualHeight,
    gap,
    overscan,
    // Frames are drawn when there is time, not inside each scroll event.
    useFlushSync: false,
    scrollMargin: margin,
    // Heights belong to tasks, not to places: they move with them.
    // biome-ignore lint/correctness/useExhaustiveDependencies: keys are known anew when a page arrives
    getItemKey: useMemo(() => {
      const idOf = reader.ids();
      return (line: number) => idOf(rowOf(line)) ?? rowOf(line);
    }, [reader, arrived, rowOf]),
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
  if (shown !== outline && !next.isPending && nextRuns) setShown(outline);
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

/** The runs of rows that are shown; `null` while they are not known. */
function useRuns(outline: Outline, view: OutlineView): Run[] | null {
  const { plan, revision, rows } = outline;
  const whole = useMemo<Run[]>(() => [[0, rows]], [rows]);
  const asked = useRowRuns(plan, revision, view.isWhole ? null : view.filter);
  if (view.isWhole) return whole;
  return asked.data?.revision === revision ? asked.data.runs : null;
}

/** The pages that hold the rows of some lines. */
function pagesOf(order: Order, from: number, to: number): number[] {
  const pages = new Set<number>();
  for (let line = from; line < Math.min(to, order.lines); line += 1) {
    pages.add(Math.floor(order.rowOf(line) / pageSize));
  }
  if (pages.size === 0) pages.add(0);
  return [...pages];
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
