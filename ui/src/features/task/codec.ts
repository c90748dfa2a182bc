/** Converts a step's fields to text and back: drafts and comparisons use text, edits use values. Lists have one value per line. */
import type { Edit, TaskDetail } from "../../api/bindings";
import { words } from "../../words";

/** The dependencies of a step: the step above it, none, or specific steps. */
export type Depends = { kind: "above" } | { kind: "nothing" } | { kind: "list"; ids: string[] };

/** The kind of input for a key. */
export type FieldShape = "lines" | "line";

const oneValue = ["complexity", "why", "confirm"];

/** Keys with their own control, whether the step has them or not. */
export const ownControl = ["depends", "files", "covers", "type", "by", "complexity", "skipped"];
/** Lists that are always shown. */
export const alwaysLines = ["verify", "accept"];
/** More keys, offered in the menu for adding a field. */
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

export function labelOf(key: string): string {
  return words.task.labels[key] ?? key;
}

export function hintOf(key: string): string | undefined {
  return words.task.hints[key];
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

/** The step's keys without their own control, known or not, in file order. */
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
