/** Selection of several rows, by Ctrl+click, Shift+click, `x` and Shift+arrows. Kept by id, so that it survives edits. The code says "picked", because "selected" is the one focused row. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";

/** Maximum size of a range, because each of its rows has to be loaded. */
const maxPicked = 500;

export interface Picks {
  /** The ids of the picked steps, in the plan's order when they were picked. */
  tasks: readonly string[];
  has: (task: string) => boolean;
  /** Picks or unpicks a row. The first pick includes the selected row. */
  toggle: (task: string, index: number) => void;
  /** Picks the visible rows from the last pick, or the selected row, to this one. */
  extendTo: (index: number) => void;
  /** Extends the range by this many lines and moves the selection. */
  extendBy: (lines: number) => void;
  clear: () => void;
}

interface Picked {
  task: string;
  index: number;
}

export function usePicks(rowWindow: RowWindow, selection: Selection): Picks {
  const [picked, setPicked] = useState<readonly Picked[]>([]);
  const anchor = useRef<number | null>(null);
  const latest = useRef({ rowWindow, selection });
  latest.current = { rowWindow, selection };

  const toggle = useCallback((task: string, index: number) => {
    const { selection: at } = latest.current;
    anchor.current = index;
    setPicked((before) => {
      if (before.some((one) => one.task === task)) return before.filter((one) => one.task !== task);
      const includesSelected =
        before.length === 0 && at.task !== null && at.index !== null && at.task !== task;
      const first = includesSelected
        ? [{ task: at.task as string, index: at.index as number }]
        : [];
      return sorted([...before, ...first, { task, index }]);
    });
  }, []);

  const extendTo = useCallback(async (index: number) => {
    const { rowWindow: rows, selection: at } = latest.current;
    const from = anchor.current ?? at.index ?? index;
    anchor.current = from;
    const { order, reader } = rows;
    const lines = [order.gapOf(from), order.gapOf(index)].sort((one, other) => one - other);
    const wanted: number[] = [];
    for (let line = lines[0] ?? 0; line <= (lines[1] ?? 0) && wanted.length < maxPicked; line += 1)
      if (line < order.lines) wanted.push(order.rowOf(line));
    const found = await Promise.all(
      wanted.map(async (row) => ({ task: (await reader.read(row))?.id, index: row })),
    );
    setPicked(found.filter((one): one is Picked => one.task !== undefined));
  }, []);

  const extendBy = useCallback(
    (lines: number) => {
      const { rowWindow: rows, selection: at } = latest.current;
      if (at.index === null || rows.order.lines === 0) return;
      anchor.current ??= at.index;
      const line = rows.order.gapOf(at.index) + lines;
      const row = rows.order.rowOf(Math.min(Math.max(line, 0), rows.order.lines - 1));
      void extendTo(row);
      at.stepTo(row);
    },
    [extendTo],
  );

  const clear = useCallback(() => {
    anchor.current = null;
    setPicked((before) => (before.length === 0 ? before : []));
  }, []);

  return useMemo(() => {
    const ids = new Set(picked.map((one) => one.task));
    return {
      tasks: [...ids],
      has: (task) => ids.has(task),
      toggle,
      extendTo: (index) => void extendTo(index),
      extendBy,
      clear,
    };
  }, [picked, toggle, extendTo, extendBy, clear]);
}

function sorted(picked: Picked[]): Picked[] {
  return picked.sort((one, other) => one.index - other.index);
}
