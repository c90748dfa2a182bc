/** Indents, splits, merges, ticks and changes steps: the selected one, or all picked ones as one edit. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Edit } from "../../api/bindings";
import { setPlace } from "../../app/place";
import { words } from "../../words";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";

export type Kind = "task" | "checkpoint" | "decision";

export interface StepVerbs {
  /** The step shown in the split dialog. */
  splitting: string | null;
  setSplitting: (task: string | null) => void;
  /** Whether the dialog to delete the picked steps is open. */
  isDeletingPicked: boolean;
  setDeletingPicked: (isOpen: boolean) => void;
  isBusy: boolean;
  indent: () => void;
  outdent: () => void;
  merge: () => void;
  setKind: (kind: Kind) => void;
  tick: (done: boolean) => void;
  setBy: (by: "person" | "agent") => void;
  split: (task: string, title: string, keepBody: string | null) => void;
  deletePicked: () => void;
}

export function useStepVerbs(
  rowWindow: RowWindow,
  selection: Selection,
  editing: Editing,
  picks: Picks,
): StepVerbs {
  const [splitting, setSplitting] = useState<string | null>(null);
  const [isDeletingPicked, setDeletingPicked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const latest = useRef({ rowWindow, selection, editing, picks });
  latest.current = { rowWindow, selection, editing, picks };

  const send = useCallback(async (edit: Edit, doing: string, done?: string) => {
    const { rowWindow: rows, selection: at, editing: edits } = latest.current;
    setBusy(true);
    const outcome = await edits.send.edit(rows.shown.revision, edit, doing);
    setBusy(false);
    if (outcome?.outcome !== "written") return null;
    if (outcome.task) setPlace({ task: outcome.task });
    at.focus();
    if (done) edits.send.offerUndo(done, outcome.revision);
    return outcome;
  }, []);

  /** Makes the same edit to each picked step, or to the selected one. */
  const each = useCallback(
    async (make: (task: string) => Edit, doing: (steps: string) => string, backwards = false) => {
      const { selection: at, picks: picked } = latest.current;
      const tasks = picked.tasks.length > 1 ? [...picked.tasks] : at.task ? [at.task] : [];
      if (backwards) tasks.reverse();
      const [first] = tasks;
      if (!first) return;
      if (tasks.length === 1) await send(make(first), doing(first));
      else {
        const all: Edit = { edit: "many", edits: tasks.map(make) };
        await send(all, doing(words.outline.edits.steps(tasks.length)));
      }
    },
    [send],
  );

  const merge = useCallback(async () => {
    const { rowWindow: rows, selection: at, picks: picked } = latest.current;
    let into = picked.tasks.length === 2 ? picked.tasks[0] : at.task;
    let task = picked.tasks.length === 2 ? picked.tasks[1] : undefined;
    if (picked.tasks.length !== 2 && at.index !== null) {
      const below = await rows.reader.read(at.index + 1);
      task = below?.id;
      into = at.task;
    }
    if (!into || !task) return;
    const outcome = await send(
      { edit: "merge_tasks", into, task },
      words.outline.edits.merge(task, into),
      words.outline.edited.merged(task, into),
    );
    if (!outcome) return;
    picked.clear();
    setPlace({ task: into });
  }, [send]);

  const split = useCallback(
    async (task: string, title: string, keepBody: string | null) => {
      const outcome = await send(
        { edit: "split_task", task, title, keep_body: keepBody },
        words.outline.edits.split(task),
      );
      if (outcome) setSplitting(null);
    },
    [send],
  );

  const deletePicked = useCallback(async () => {
    const { picks: picked } = latest.current;
    const { tasks } = picked;
    const edits = [...tasks].reverse().map((task): Edit => ({ edit: "delete_task", task }));
    const steps = words.outline.edits.steps(tasks.length);
    const outcome = await send(
      { edit: "many", edits },
      words.outline.edits.delete(steps),
      words.outline.edited.deleted(steps),
    );
    setDeletingPicked(false);
    if (!outcome) return;
    picked.clear();
    setPlace({ task: null });
  }, [send]);

  return useMemo(
    () => ({
      splitting,
      setSplitting,
      isDeletingPicked,
      setDeletingPicked,
      isBusy,
      indent: () => void each((task) => ({ edit: "indent", task }), words.outline.edits.indent),
      outdent: () =>
        void each((task) => ({ edit: "outdent", task }), words.outline.edits.outdent, true),
      merge: () => void merge(),
      setKind: (kind) =>
        void each((task) => ({ edit: "kind", task, kind }), words.outline.edits.change),
      tick: (done) =>
        void each(
          (task) => ({ edit: "tick", task, done }),
          done ? words.outline.edits.markDone : words.outline.edits.reopen,
        ),
      setBy: (by) =>
        void each(
          (task) => ({ edit: "field", task, key: "by", values: [by] }),
          words.outline.edits.change,
        ),
      split: (task, title, keepBody) => void split(task, title, keepBody),
      deletePicked: () => void deletePicked(),
    }),
    [splitting, isDeletingPicked, isBusy, each, merge, split, deletePicked],
  );
}
