/** Positions of the steps in the text: those of the last check, moved along with later edits. Used for folding, the selected step and completion. */
import { foldEffect, foldService, unfoldAll } from "@codemirror/language";
import {
  type EditorState,
  type Extension,
  Prec,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
} from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { TextTask } from "../../api/bindings";

class TaskRange extends RangeValue {
  readonly id: string;
  // Text typed at either end belongs to the step.
  override startSide = -1;
  override endSide = 1;

  constructor(id: string) {
    super();
    this.id = id;
  }

  override eq(other: TaskRange): boolean {
    return other.id === this.id;
  }
}

/** The lines of a step and its sub-steps, from the start of the first to the end of the last. */
export interface TaskLines {
  id: string;
  from: number;
  to: number;
}

export const setTasks = StateEffect.define<TextTask[]>();

const tasksField = StateField.define<RangeSet<TaskRange>>({
  create: () => RangeSet.empty,
  update(places, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTasks)) return placesOf(transaction.state, effect.value);
    }
    return transaction.docChanged ? places.map(transaction.changes) : places;
  },
});

function placesOf(state: EditorState, tasks: TextTask[]): RangeSet<TaskRange> {
  const { doc } = state;
  const places: Range<TaskRange>[] = [];
  for (const { id, line, end } of tasks) {
    if (line < 1 || line > doc.lines || end < line) continue;
    const from = doc.line(line).from;
    const to = doc.line(Math.min(end, doc.lines)).to;
    places.push(new TaskRange(id).range(from, Math.max(from, to)));
  }
  return RangeSet.of(places, true);
}

/** The innermost step at a position. */
export function taskAt(state: EditorState, pos: number): TaskLines | null {
  let found: TaskLines | null = null;
  state.field(tasksField).between(pos, pos, (from, to, { id }) => {
    if (from <= pos && pos <= to && (!found || from >= found.from)) found = { id, from, to };
  });
  return found;
}

/** The id of the innermost step at the start of a line; lines are counted from 1. */
export function taskAtLine(state: EditorState, line: number): string | null {
  const { from } = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)));
  return taskAt(state, from)?.id ?? null;
}

export function findTask(state: EditorState, id: string): TaskLines | null {
  for (const task of eachTask(state)) if (task.id === id) return task;
  return null;
}

/** All known steps in text order. */
export function* eachTask(state: EditorState): Generator<TaskLines> {
  for (const at = state.field(tasksField).iter(); at.value; at.next()) {
    yield { id: at.value.id, from: at.from, to: at.to };
  }
}

/** The range that folds at a line, if it is the first line of the front matter or of a step. */
export function foldOf(state: EditorState, lineFrom: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(lineFrom);
  if (line.number === 1) {
    const end = frontMatterEnd(state);
    if (end > 1) return { from: line.to, to: state.doc.line(end).to };
  }
  let found: { from: number; to: number } | null = null;
  state.field(tasksField).between(line.from, line.to, (from, to) => {
    if (from !== line.from) return;
    const end = lastTextEnd(state, from, to);
    if (end > line.to) found = { from: line.to, to: end };
  });
  return found;
}

/** The end of the last line that isn't blank: blank lines between steps stay visible. */
function lastTextEnd(state: EditorState, from: number, to: number): number {
  let line = state.doc.lineAt(to);
  while (line.from > from && line.text.trim() === "") line = state.doc.line(line.number - 1);
  return line.to;
}

/** Lines within which the front matter must end. */
const frontMatterLines = 200;

/** The last line of the front matter, counted from 1; 0 if there is none. */
export function frontMatterEnd(state: EditorState): number {
  const { doc } = state;
  if (doc.line(1).text.trimEnd() !== "---") return 0;
  const last = Math.min(doc.lines, frontMatterLines);
  for (let number = 2; number <= last; number += 1) {
    if (doc.line(number).text.trimEnd() === "---") return number;
  }
  return 0;
}

/** Folds all steps and sub-steps, so that unfolding one shows its sub-steps as one line each. */
export function foldTasks(view: EditorView): void {
  const effects: StateEffect<unknown>[] = [];
  for (const task of eachTask(view.state)) {
    const range = foldOf(view.state, task.from);
    if (range) effects.push(foldEffect.of(range));
  }
  view.dispatch({ effects });
}

export function unfoldTasks(view: EditorView): void {
  unfoldAll(view);
}

export const tasks: Extension = [
  tasksField,
  Prec.high(foldService.of((state, lineStart) => foldOf(state, lineStart))),
];
