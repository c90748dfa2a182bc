/** The selected row. The place stores its id; the index is looked up, except while keys move the selection: a held key must not wait for the backend. */
import {
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from "react";
import { useRowIndex } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { taskAsked } from "./showTask";
import type { RowWindow } from "./useRowWindow";
import { setView } from "./view";

export interface Selection {
  task: string | null;
  /** `null` while unknown, or if the step isn't in the plan. */
  index: number | null;
  isEditing: boolean;
  /** Selects by id, scrolls to the row and focuses it. */
  select: (task: string) => void;
  /** Moves the selection by this many lines. */
  step: (by: number) => void;
  /** Selects the row at this index. */
  stepTo: (index: number) => void;
  /** Selects the first or the last visible row. */
  stepToEnd: (end: "first" | "last") => void;
  edit: (isEditing: boolean) => void;
  /** Focuses the selected row once it is mounted. */
  focus: () => void;
}

export function useSelection(rowWindow: RowWindow, list: RefObject<HTMLElement | null>): Selection {
  const { task, editing, top } = usePlace();
  const { shown, reader, virtualizer, row } = rowWindow;
  const found = useRowIndex(shown.plan, shown.revision, task);
  const moved = useRef<{ task: string; index: number; revision: string } | null>(null);
  const wantsFocus = useRef(false);
  const [, refresh] = useReducer((count: number) => count + 1, 0);

  const here = moved.current;
  const index =
    here && here.task === task && here.revision === shown.revision
      ? here.index
      : found.data === undefined
        ? here?.task === task && here
          ? here.index
          : null
        : found.data;

  const latest = useRef({ rowWindow, index });
  latest.current = { rowWindow, index };

  const stepTo = useCallback((wanted: number) => {
    const { shown: now, reader: rows, virtualizer: list, order } = latest.current.rowWindow;
    const next = Math.min(Math.max(wanted, 0), now.rows - 1);
    if (next < 0) return;
    list.scrollToIndex(order.gapOf(next), { align: "auto" });
    wantsFocus.current = true;
    const choose = (id: string | undefined) => {
      if (!id) return;
      moved.current = { task: id, index: next, revision: now.revision };
      setPlace({ task: id, editing: false });
      // If the other row has the same id, the place doesn't change, so this triggers a render.
      refresh();
    };
    const cached = rows.peek(next);
    if (cached) choose(cached.id);
    else void rows.read(next).then((found) => choose(found?.id));
  }, []);

  const select = useCallback((id: string) => {
    wantsFocus.current = true;
    setPlace({ task: id, editing: false });
    void show(latest, id);
  }, []);

  const stepToLine = useCallback(
    (line: number) => {
      const { order } = latest.current.rowWindow;
      if (order.lines > 0) stepTo(order.rowOf(Math.min(Math.max(line, 0), order.lines - 1)));
    },
    [stepTo],
  );

  const step = useCallback(
    (by: number) => {
      const { rowWindow, index: from } = latest.current;
      if (from === null) stepToLine(0);
      // If the selected row is hidden, moving down selects the next visible row.
      else if (rowWindow.order.lineOf(from) === null && by > 0)
        stepToLine(rowWindow.order.gapOf(from) + by - 1);
      else stepToLine(rowWindow.order.gapOf(from) + by);
    },
    [stepToLine],
  );

  const stepToEnd = useCallback(
    (end: "first" | "last") =>
      stepToLine(end === "first" ? 0 : latest.current.rowWindow.order.lines - 1),
    [stepToLine],
  );

  const edit = useCallback((isEditing: boolean) => {
    if (!isEditing) wantsFocus.current = true;
    setPlace({ editing: isEditing });
  }, []);

  const focus = useCallback(() => {
    wantsFocus.current = true;
  }, []);

  // The row may be mounted some frames after it was selected.
  useLayoutEffect(() => {
    if (!wantsFocus.current || index === null || editing) return;
    const line = rowWindow.order.lineOf(index);
    if (line === null) return;
    const element = list.current?.querySelector<HTMLElement>(`[data-index="${line}"]`);
    if (!element || row(index)?.id !== task) return;
    wantsFocus.current = false;
    if (document.querySelector('[role="dialog"]')) return;
    element.focus({ preventScroll: true });
  });

  // Selected from elsewhere (a finding, the run, another view): scroll to it, and focus it on request.
  const request = useStore(taskAsked);
  const handled = useRef(request);
  const shownTask = useRef(task);
  useEffect(() => {
    const isRequested = request !== handled.current && request?.task === task;
    handled.current = request;
    const isOwn = task === moved.current?.task || task === shownTask.current;
    shownTask.current = task;
    if (!task || (isOwn && !isRequested)) return;
    if (isRequested) wantsFocus.current = true;
    void show(latest, task);
  }, [task, request]);

  // Restores the scroll position, once.
  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) return;
    isRestored.current = true;
    const wanted = top ?? task;
    if (!wanted) return;
    void reader.indexOf(wanted).then((found) => {
      if (!found) return;
      const line = latest.current.rowWindow.order.gapOf(found);
      virtualizer.scrollToIndex(line, { align: top ? "start" : "auto" });
    });
  }, [reader, virtualizer, top, task]);

  // Remembers the first row in view when scrolling stops.
  const first = virtualizer.isScrolling ? null : (virtualizer.range?.startIndex ?? null);
  const firstId =
    first === null ? undefined : first === 0 ? null : reader.peek(rowWindow.order.rowOf(first))?.id;
  useEffect(() => {
    if (firstId !== undefined && isRestored.current) setPlace({ top: firstId });
  }, [firstId]);

  const isEditing = editing && task !== null;
  return useMemo(
    () => ({ task, index, isEditing, select, step, stepTo, stepToEnd, edit, focus }),
    [task, index, isEditing, select, step, stepTo, stepToEnd, edit, focus],
  );
}

/** Scrolls to a step. Unfolds the groups around it and clears the filter if they hide it. */
async function show(latest: RefObject<{ rowWindow: RowWindow }>, task: string): Promise<void> {
  const { reader, order, shown, view } = latest.current.rowWindow;
  const index = await reader.indexOf(task);
  if (index === null) return;
  if (order.lineOf(index) === null) {
    const around: string[] = [];
    let above = await reader.read(index);
    for (let at = index - 1; at >= 0 && above && above.depth > 0; at -= 1) {
      const row = await reader.read(at);
      if (row && row.depth < above.depth) {
        around.push(row.id);
        above = row;
      }
    }
    setView(shown.plan, {
      folded: view.filter.folded.filter((one) => !around.includes(one)),
      only: [],
      words: "",
    });
  }
  // Waits for the frame in which the row becomes visible.
  requestAnimationFrame(() => {
    const { virtualizer, order: now } = latest.current.rowWindow;
    virtualizer.scrollToIndex(now.gapOf(index), { align: "auto" });
  });
}
