/** Adds, deletes and moves steps. Each is one edit on the revision on screen. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Outline } from "../../api/bindings";
import { setPlace } from "../../app/place";
import { words } from "../../words";
import { endOf, type Gap, type Move, moveDown, moveTo, moveUp } from "./moves";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";
import { type Send, useSend } from "./useSend";

/** The open line for new steps. */
export type Adding =
  | { at: "end" }
  | {
      at: "after" | "under";
      task: string;
      /** The step added last. The line moves below it once it is on screen. */
      next?: string;
      /** Whether the line doesn't take focus when it appears. */
      isQuiet?: boolean;
    };

export interface Editing {
  send: Send;
  adding: Adding | null;
  setAdding: (adding: Adding | null) => void;
  deleting: string | null;
  setDeleting: (task: string | null) => void;
  isBusy: boolean;
  /** Closes the line and selects the step added last. */
  closeAdding: () => void;
  onAdded: (task: string | null, addsAnother: boolean) => void;
  /** Reports the steps that a pasted list added. */
  onPasted: (steps: number, leftOut: number, revision: string) => void;
  onDelete: (task: string, revision: string) => void;
  onDrop: (index: number, gap: Gap) => void;
  /** Moves past the previous sibling (-1) or the next one (1). */
  shift: (by: 1 | -1) => void;
}

export function useEditing(outline: Outline, rowWindow: RowWindow, selection: Selection): Editing {
  const [adding, setAdding] = useState<Adding | null>(null);
  const [deleting, setDeleting] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = useSend(outline.plan);
  const latest = useRef({ rowWindow, selection });
  latest.current = { rowWindow, selection };

  const onAdded = useCallback((task: string | null, addsAnother: boolean) => {
    if (!addsAnother) {
      if (task) latest.current.selection.select(task);
      setAdding(null);
      return;
    }
    if (!task) return;
    // Selects the step without focusing it; focus stays in the line.
    setPlace({ task, editing: false });
    setAdding((now) => (now && now.at !== "end" ? { ...now, next: task } : now));
  }, []);

  const onPasted = useCallback(
    (steps: number, leftOut: number, revision: string) =>
      send.offerUndo(words.outline.addTask.pasted(steps, leftOut), revision),
    [send],
  );

  const closeAdding = useCallback(() => {
    latest.current.selection.focus();
    setAdding(null);
  }, []);

  const onDelete = useCallback(
    async (task: string, revision: string) => {
      const { rowWindow: rows, selection: at } = latest.current;
      setBusy(true);
      // Selects the row after the deleted ones or, if there is none, the one before them.
      const index = at.task === task ? at.index : null;
      const end = index === null ? 0 : await endOf(rows.reader.read, index);
      const next = index === null ? null : await rows.reader.read(end);
      const before = index ? await rows.reader.read(index - 1) : null;
      const outcome = await send.edit(
        revision,
        { edit: "delete_task", task },
        words.outline.edits.delete(task),
      );
      setBusy(false);
      setDeleting(null);
      if (!outcome) return;
      if (index !== null) {
        setPlace({ task: next?.id ?? before?.id ?? null, editing: false });
        at.focus();
      }
      send.offerUndo(words.outline.edited.deleted(task), outcome.revision);
    },
    [send],
  );

  const make = useCallback(
    async (move: Move | null, selected: string) => {
      if (!move) return;
      const { rowWindow: rows, selection: at } = latest.current;
      const outcome = await send.edit(
        rows.shown.revision,
        { edit: "move_task", ...move },
        words.outline.edits.move(selected),
      );
      if (outcome?.outcome !== "written") return;
      // A step without a written id is renumbered when it moves.
      if (outcome.task && move.task === selected) setPlace({ task: outcome.task });
      at.focus();
    },
    [send],
  );

  const isMoving = useRef(false);
  const shift = useCallback(
    async (by: 1 | -1) => {
      const { rowWindow: rows, selection: at } = latest.current;
      if (at.index === null || !at.task || isMoving.current) return;
      isMoving.current = true;
      try {
        const find = by < 0 ? moveUp : moveDown;
        await make(await find(rows.reader.read, at.index), at.task);
      } finally {
        isMoving.current = false;
      }
    },
    [make],
  );

  const onDrop = useCallback(
    async (index: number, gap: Gap) => {
      const { reader } = latest.current.rowWindow;
      const row = await reader.read(index);
      if (!row) return;
      setPlace({ task: row.id, editing: false });
      await make(await moveTo(reader.read, index, gap), row.id);
    },
    [make],
  );

  return useMemo(
    () => ({
      send,
      adding,
      setAdding,
      deleting,
      setDeleting,
      isBusy,
      closeAdding,
      onAdded,
      onPasted,
      onDelete: (task, revision) => void onDelete(task, revision),
      onDrop: (index, gap) => void onDrop(index, gap),
      shift: (by) => void shift(by),
    }),
    [send, adding, deleting, isBusy, closeAdding, onAdded, onPasted, onDelete, onDrop, shift],
  );
}
