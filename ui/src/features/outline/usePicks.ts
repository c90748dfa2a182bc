/** Several rows picked at once: by Ctrl+click, Shift+click, `x` and Shift with the arrows. What is picked is known by id, so that it stays picked when the plan changes. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";

/** More are not picked by one range: each row has to be asked for. */
const mostPicked = 500;

export interface Picks {
  /** Ids in the order of the plan, as far as it was known when they were picked. */
  tasks: readonly string[];
  has: (task: string) => boolean;
  /** Picks a row, or lets it go. The first pick takes the selected row along. */
  toggle: (task: string, index: number) => void;
  /** Picks all that is shown between the selected row, or the last pick, and this one. */
  extendTo: (index: number) => void;
  /** Extends by so many lines, with the selection going along. */
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
      const takesAlong =
        before.length === 0 && at.task !== null && at.index !== null && at.task !== task;
      const first = takesAlong ? [{ task: at.task as string, index: at.index as number }] : [];
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
    for (let line = lines[0] ?? 0; line <= (lines[1] ?? 0) && wanted.length < mostPicked; line += 1)
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
