/** Writes new steps one at a time, however fast they are typed: each goes after the previous one and is based on the revision that it produced. */
import { useEffect, useRef, useState } from "react";
import type { Edit, TaskPlace } from "../../api/bindings";
import { previewEdit, writeField } from "../../api/fieldEdit";
import { words } from "../../words";
import {
  editWithIds,
  editWithoutIds,
  isNested,
  maxPasted,
  numberIn,
  type PastedList,
} from "./pastedSteps";

export interface AddedSteps {
  /** The last added step, not counting sub-steps of a pasted list; `null` if unknown. */
  task: string | null;
  revision: string;
}

export interface AddSteps {
  /** Whether a step is being written. */
  isBusy: boolean;
  add: (title: string, kind: string) => Promise<AddedSteps>;
  addList: (list: PastedList) => Promise<AddedSteps>;
}

const t = words.outline.addTask;

/** @param placeOf the place of the first new step in the revision on screen */
export function useAddSteps(
  plan: string,
  revision: string,
  placeOf: () => Promise<TaskPlace>,
): AddSteps {
  const [waiting, setWaiting] = useState(0);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef({ revision, placeOf });
  latest.current = { revision, placeOf };
  /** Steps that were written but aren't on screen yet. */
  const written = useRef<AddedSteps[]>([]);

  useEffect(() => {
    const at = written.current.findIndex((one) => one.revision === revision);
    const isBehind = at >= 0 && at < written.current.length - 1;
    if (!isBehind) written.current = [];
  }, [revision]);

  const inTurn = (write: (place: TaskPlace, on: string) => Promise<AddedSteps>) => {
    setWaiting((count) => count + 1);
    const mine = queue.current.then(async () => {
      const last = written.current.at(-1);
      const place: TaskPlace = last?.task
        ? { at: "after", task: last.task }
        : await latest.current.placeOf();
      const added = await write(place, last?.revision ?? latest.current.revision);
      written.current.push(added);
      return added;
    });
    queue.current = mine.catch(() => undefined);
    return mine.finally(() => setWaiting((count) => count - 1));
  };

  const send = async (on: string, edit: Edit): Promise<AddedSteps> => {
    const outcome = await writeField(plan, on, edit);
    if (outcome.outcome === "conflict") throw new Error(t.conflictError);
    const task = outcome.outcome === "written" ? outcome.task : null;
    return { task, revision: outcome.revision };
  };

  return {
    isBusy: waiting > 0,
    add: (title, kind) => inTurn((place, on) => send(on, { edit: "add_task", place, title, kind })),
    addList: (list) =>
      inTurn(async (place, on) => {
        if (list.steps.length > maxPasted) throw new Error(t.tooManyError(maxPasted));
        const [{ title } = { title: "" }] = list.steps;
        const preview = await previewEdit(plan, on, {
          edit: "add_task",
          place,
          title,
          kind: "task",
        });
        const first = numberIn(preview.diff);
        if (first !== null) {
          const { edit, last } = editWithIds(list, place, first);
          return { ...(await send(on, edit)), task: last };
        }
        if (isNested(list)) throw new Error(t.nestedError);
        const added = await send(on, editWithoutIds(list, place));
        return { ...added, task: lastOf(place, list.steps.length) };
      }),
  };
}

/** The last of several steps that were added in a plan without ids, where steps are named by their position. */
function lastOf(place: TaskPlace, count: number): string | null {
  if (place.at === "first") return `#${count}`;
  if (place.at !== "after") return null;
  const [, parent, own] = place.task.match(/^(#(?:\d+\.)*)(\d+)$/) ?? [];
  return parent && own ? `${parent}${Number(own) + count}` : null;
}
