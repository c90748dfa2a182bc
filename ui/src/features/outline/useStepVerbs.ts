/** What is done to whole steps beyond adding, moving and deleting: levels, halves, kinds, ticks; for the selected one, or for all that are picked as one edit. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Edit } from "../../api/bindings";
import { setPlace } from "../../app/place";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";

export type Kind = "task" | "checkpoint" | "decision";

export interface StepVerbs {
  /** The step about to be split. */
  splitting: string | null;
  setSplitting: (task: string | null) => void;
  /** Whether the picked steps are about to be deleted. */
  isDeletingPicked: boolean;
  setDeletingPicked: (isAsked: boolean) => void;
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

  /** The same edit for each step that is picked, or for the selected one. */
  const each = useCallback(
    async (make: (task: string) => Edit, doing: string, backwards = false) => {
      const { selection: at, picks: picked } = latest.current;
      const tasks = picked.tasks.length > 1 ? [...picked.tasks] : at.task ? [at.task] : [];
      if (backwards) tasks.reverse();
      const [first] = tasks;
      if (!first) return;
      if (tasks.length === 1) await send(make(first), `${doing} ${first}`);
      else await send({ edit: "many", edits: tasks.map(make) }, `${doing} ${tasks.length} steps`);
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
      `Merging ${task} into ${into}`,
      `${task} is part of ${into}`,
    );
    if (!outcome) return;
    picked.clear();
    setPlace({ task: into });
  }, [send]);

  const split = useCallback(
    async (task: string, title: string, keepBody: string | null) => {
      const outcome = await send(
        { edit: "split_task", task, title, keep_body: keepBody },
        `Splitting ${task}`,
      );
      if (outcome) setSplitting(null);
    },
    [send],
  );

  const deletePicked = useCallback(async () => {
    const { picks: picked } = latest.current;
    const { tasks } = picked;
    const edits = [...tasks].reverse().map((task): Edit => ({ edit: "delete_task", task }));
    const outcome = await send(
      { edit: "many", edits },
      `Deleting ${tasks.length} steps`,
      `${tasks.length} steps are deleted`,
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
      indent: () => void each((task) => ({ edit: "indent", task }), "Indenting"),
      outdent: () => void each((task) => ({ edit: "outdent", task }), "Outdenting", true),
      merge: () => void merge(),
      setKind: (kind) => void each((task) => ({ edit: "kind", task, kind }), "Changing"),
      tick: (done) => void each((task) => ({ edit: "tick", task, done }), "Ticking"),
      setBy: (by) =>
        void each((task) => ({ edit: "field", task, key: "by", values: [by] }), "Changing"),
      split: (task, title, keepBody) => void split(task, title, keepBody),
      deletePicked: () => void deletePicked(),
    }),
    [splitting, isDeletingPicked, isBusy, each, merge, split, deletePicked],
  );
}
