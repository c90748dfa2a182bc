/** A task's fields as text and back: drafts and comparisons are text, edits are values. Lists hold one value a line. */
import type { Edit, TaskDetail } from "../../api/bindings";

/** What a task waits for: the one above it, nothing, or these. */
export type Depends = { kind: "above" } | { kind: "nothing" } | { kind: "list"; ids: string[] };

/** How a key is typed in. */
export type FieldShape = "lines" | "line";

const oneValue = ["complexity", "why", "confirm"];

/** Keys that have a control of their own, whether the task has them or not. */
export const ownControl = ["depends", "files", "covers", "type", "by", "complexity", "skipped"];
/** Lists of lines that are always offered. */
export const alwaysLines = ["verify", "accept"];
/** What a task can have besides, offered under "Add a field". */
export const further = [
  "call",
  "option",
  "why",
  "note",
  "assume",
  "needs",
  "tools",
  "confirm",
  "mute",
  "strategy",
  "origin",
];

const labels: Record<string, string> = {
  depends: "Waits for",
  files: "Files",
  verify: "Checks",
  accept: "Accepted when",
  covers: "Covers",
  complexity: "Complexity",
  by: "Done by",
  type: "Kind",
  call: "Calls",
  option: "Options",
  why: "Why",
  note: "Notes",
  assume: "Assumptions",
  needs: "Needs",
  tools: "Tools",
  confirm: "Asks",
  mute: "Muted findings",
  skipped: "Left out because",
};

export function labelOf(key: string): string {
  return labels[key] ?? key;
}

const hints: Record<string, string> = {
  verify: "one command a line; it proves the step",
  accept: "one sentence a line",
  call: 'one call a line: search_files {"pattern": "render"}',
  option: "one choice a line: Label -> T3, or -> continue, stop, review, skip T4",
  complexity: "1 to 10",
  confirm: "yes or no",
};

export function hintOf(key: string): string | undefined {
  return hints[key];
}

export function shapeOf(key: string): FieldShape {
  return oneValue.includes(key) ? "line" : "lines";
}

export function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function fromLines(values: string[]): string {
  return values.join("\n");
}

export function normalLines(text: string): string {
  return fromLines(toLines(text));
}

export function valuesOf(detail: TaskDetail, key: string): string[] {
  return detail.fields.filter((field) => field.key === key).flatMap((field) => field.values);
}

export function textOf(detail: TaskDetail, key: string): string {
  return fromLines(valuesOf(detail, key));
}

/** Keys of the task that have no control of their own: known ones and unknown ones alike, in the file's order. */
export function furtherKeys(detail: TaskDetail): string[] {
  const has = detail.fields.map((field) => field.key);
  return [...new Set(has)].filter((key) => !ownControl.includes(key) && !alwaysLines.includes(key));
}

export function fieldEdit(task: string, key: string, text: string): Edit {
  return { edit: "field", task, key, values: toLines(text) };
}

export function dependsText(detail: TaskDetail): string {
  if (detail.row.depends === null) return "above";
  const ids = valuesOf(detail, "depends").filter((id) => !isNothing(id));
  const list = ids.length > 0 ? ids : detail.row.depends;
  return list.length > 0 ? fromLines(list) : "nothing";
}

function isNothing(value: string): boolean {
  return ["", "-", "none", "nothing", "–", "—"].includes(value.trim().toLowerCase());
}

export function readDepends(text: string): Depends {
  if (text === "above") return { kind: "above" };
  const ids = text === "nothing" ? [] : toLines(text);
  return ids.length === 0 ? { kind: "nothing" } : { kind: "list", ids };
}

export function dependsEdit(task: string, text: string): Edit {
  const depends = readDepends(text);
  const on = depends.kind === "above" ? null : depends.kind === "nothing" ? [] : depends.ids;
  return { edit: "depends", task, on };
}
