/** Turns a pasted Markdown list into steps, which are added by one edit. */
import type { DiffLine, Edit, TaskPlace } from "../../api/bindings";

export interface PastedStep {
  title: string;
  /** The nesting depth; 0 at the top level. */
  depth: number;
}

export interface PastedList {
  steps: PastedStep[];
  /** The number of lines that belong to no step. */
  leftOut: number;
}

/** Maximum number of steps in a pasted list: the backend's limit on the edits combined into one. */
export const maxPasted = 1000;

const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const box = /^\[[ xX-]\][ \t]+/;
/** A step's id as written in plans. It is dropped, because new steps get their own ids. */
const ownId = /^(\*\*|__)[A-Z]\d+(?:\.\d+)*\1[ \t]+/;
const tabWidth = 4;

/** Reads text that is a list and nothing else; `null` for other text. With checkboxes, only items that have one are steps: the others are fields and notes. */
export function readList(text: string): PastedList | null {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const found = lines.map((line) => item.exec(line));
  if (!found[0]) return null;
  const hasBoxes = found.some((match) => match?.[2] && box.test(match[2]));
  const steps: PastedStep[] = [];
  const indents: number[] = [];
  let leftOut = 0;
  let isInStep = false;
  for (const [at, line] of lines.entries()) {
    const [, space = "", content = ""] = found[at] ?? [];
    const title = content.replace(box, "").replace(ownId, "").trim();
    const isStep = title !== "" && (!hasBoxes || box.test(content));
    if (found[at] && isStep) {
      const indent = widthOf(space);
      while (indents.length > 0 && indent <= (indents.at(-1) ?? 0)) indents.pop();
      steps.push({ title, depth: indents.length });
      indents.push(indent);
    } else if (!found[at] && !/^[ \t]/.test(line)) {
      // A paragraph, so this isn't a list.
      return null;
    } else if (!found[at] && isInStep) {
      const last = steps.at(-1);
      if (last) last.title += ` ${line.trim()}`;
    } else leftOut += 1;
    isInStep = isStep || (!found[at] && isInStep);
  }
  return steps.length > 0 ? { steps, leftOut } : null;
}

function widthOf(space: string): number {
  return [...space].reduce((width, one) => width + (one === "\t" ? tabWidth : 1), 0);
}

export function isNested({ steps }: PastedList): boolean {
  return steps.some(({ depth }) => depth > 0);
}

/** The number in the next step's id, read from a preview that adds one; `null` in a plan without ids. */
export function numberIn(diff: DiffLine[]): number | null {
  const added = diff.find(({ kind, text }) => kind === "added" && /\[ \]/.test(text));
  const number = added?.text.match(/\[ \][ \t]+(?:\*\*|__)?T(\d+)\b/)?.[1];
  return number ? Number(number) : null;
}

/** An edit that adds the steps in order. It refers to them by the ids that they will get. Also returns the id of the last top-level one. */
export function editWithIds(
  { steps }: PastedList,
  place: TaskPlace,
  first: number,
): { edit: Edit; last: string } {
  /** The last step at each depth, within its parent. */
  const before: string[] = [];
  const edits = steps.map(({ title, depth }, at): Edit => {
    const parent = before[depth - 1];
    const sibling = before[depth];
    before.length = depth;
    before[depth] = `T${first + at}`;
    if (sibling) return add(title, { at: "after", task: sibling });
    return add(title, parent ? { at: "under", task: parent } : place);
  });
  return { edit: { edit: "many", edits }, last: before[0] ?? "" };
}

/** An edit that adds a flat list to a plan without ids. If all go after the same step, they are added in reverse. */
export function editWithoutIds({ steps }: PastedList, place: TaskPlace): Edit {
  const edits = steps.map(({ title }) => add(title, place));
  return { edit: "many", edits: place.at === "under" ? edits : edits.reverse() };
}

function add(title: string, place: TaskPlace): Edit {
  return { edit: "add_task", place, title, kind: "task" };
}
