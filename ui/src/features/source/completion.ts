/** Completion in a step's lines: keys and their values, ids of steps and requirements, paths, tools and commands. The target is parsed from the line; files, commands and steps outside the text come from the caller. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import { words } from "../../words";
import { eachTask, taskAt } from "./tasks";

const text = words.source.completion;

/** What can be completed at the cursor. */
export interface CompletionTarget {
  kind: "key" | "word" | "task" | "requirement" | "path" | "tool" | "param" | "command";
  /** The column where the typed part starts. */
  from: number;
  typed: string;
  /** The key whose value the cursor is in. */
  key: string;
  /** Whether the typed part already follows a backtick or quote. */
  isQuoted: boolean;
  /** The tool whose parameters are completed. */
  tool?: string;
}

/** Tools and their parameters, required ones first. */
const tools: Record<string, string[]> = {
  list_files: ["path", "depth"],
  read_file: ["path", "start_line", "end_line"],
  search_files: ["pattern", "path"],
  edit_file: ["path", "old_text", "new_text"],
  write_file: ["path", "content"],
  delete_file: ["path"],
  run_command: ["command", "timeout_s"],
  git_status: [],
};

const keyStart = /^(\s+[-*+]\s+)([A-Za-z]*)$/;
const valueStart = /^\s+[-*+]\s+([A-Za-z]+):(.*)$/;

/** The target at the end of `before`, the line up to the cursor. */
export function targetAt(before: string): CompletionTarget | null {
  const key = keyStart.exec(before);
  if (key) {
    const typed = key[2] ?? "";
    return {
      kind: "key",
      from: before.length - typed.length,
      typed,
      key: "",
      isQuoted: false,
    };
  }
  const value = valueStart.exec(before);
  if (!value) return null;
  const name = (value[1] ?? "").toLowerCase();
  return valueTarget(name, value[2] ?? "", before.length);
}

function valueTarget(key: string, value: string, end: number): CompletionTarget | null {
  const target: MakeTarget = (kind, typed, more = {}) => ({
    kind,
    from: end - typed.length,
    typed,
    key,
    isQuoted: false,
    ...more,
  });
  const last = (shape: RegExp) => shape.exec(value)?.[1];
  switch (key) {
    case "type":
    case "by":
    case "confirm":
    case "strategy": {
      const typed = last(/^\s*([a-z]*)$/);
      return typed === undefined ? null : target("word", typed);
    }
    case "depends": {
      const typed = last(/(?:^|[\s,])([\w.-]*)$/);
      return typed === undefined ? null : target("task", typed);
    }
    case "option": {
      const typed = last(/(?:->|→)\s*(?:skip\s+)?([\w.-]*)$/);
      return typed === undefined ? null : target("task", typed);
    }
    case "covers": {
      const typed = last(/(?:^|[\s,])([\w.-]*)$/);
      return typed === undefined ? null : target("requirement", typed);
    }
    case "files": {
      const isQuoted = (value.match(/`/g)?.length ?? 0) % 2 === 1;
      const typed = isQuoted ? last(/`([^`]*)$/) : last(/(?:^|[\s,])([^\s,`]*)$/);
      return typed === undefined ? null : target("path", typed, { isQuoted });
    }
    case "tools": {
      const typed = last(/(?:^|[\s,`])([a-z_]*)$/);
      return typed === undefined ? null : target("tool", typed);
    }
    case "call":
      return callTarget(value, target);
    case "verify": {
      const typed = /^\s*(`?)([^`]*)$/.exec(value);
      return typed ? target("command", typed[2] ?? "", { isQuoted: typed[1] === "`" }) : null;
    }
    default:
      return null;
  }
}

type MakeTarget = (
  kind: CompletionTarget["kind"],
  typed: string,
  more?: Partial<CompletionTarget>,
) => CompletionTarget;

function callTarget(value: string, target: MakeTarget): CompletionTarget | null {
  const name = /^\s*(`?)([a-z_]*)$/.exec(value);
  if (name) return target("tool", name[2] ?? "", { isQuoted: name[1] === "`" });
  const tool = /^\s*`?([a-z_]+)\s*\{/.exec(value)?.[1];
  if (!tool) return null;
  const path = /"path"\s*:\s*"([^"]*)$/.exec(value)?.[1];
  if (path !== undefined) return target("path", path, { isQuoted: true });
  const param = /[{,]\s*("?)([a-z_]*)$/.exec(value);
  return param ? target("param", param[2] ?? "", { tool, isQuoted: param[1] === '"' }) : null;
}

/** Sources of completions that aren't in the plan's text. */
export interface CompletionSources {
  files: (typed: string) => Promise<string[]>;
  tasks: (typed: string) => Promise<{ id: string; title: string }[]>;
  commands: () => Promise<string[]>;
  /** The requirements of the plan as last saved. */
  requirements: () => { id: string; text: string }[];
}

/** Delay between typing and querying the backend, in milliseconds. */
const askAfterMs = 80;
const maxTasks = 400;

export function completeFrom(sources: CompletionSources) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.state.doc.lineAt(context.pos);
    if (line.length > 4000) return null;
    const target = targetAt(line.text.slice(0, context.pos - line.from));
    if (!target || !isUnderTask(context.state, line.number)) return null;
    const from = line.from + target.from;
    const found = await optionsOf(target, context, sources);
    if (!found || context.aborted) return null;
    return { from, ...found, options: found.options.map(spaced) };
  };
}

const boxLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[.\]\s/u;
/** Maximum number of lines above the cursor to examine. */
const maxLinesAbove = 200;

const indentOf = (text: string) => text.length - text.trimStart().length;

/** Whether a line belongs to a step, by the lines above it: the positions of the last check may be older than the line. */
export function isUnderTask(state: EditorState, number: number): boolean {
  let indent = indentOf(state.doc.line(number).text);
  for (
    let above = number - 1;
    above > 0 && number - above <= maxLinesAbove && indent > 0;
    above -= 1
  ) {
    const { text } = state.doc.line(above);
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    if (boxLine.test(text)) return true;
    indent = indentOf(text);
  }
  return false;
}

/** Puts a space before an option's detail, because screen readers would otherwise read label and detail as one word. */
function spaced(option: Completion): Completion {
  return option.detail ? { ...option, detail: ` ${option.detail}` } : option;
}

type Found = Pick<CompletionResult, "options" | "filter" | "validFor">;

async function optionsOf(
  target: CompletionTarget,
  context: CompletionContext,
  sources: CompletionSources,
): Promise<Found | null> {
  const after = context.state.sliceDoc(context.pos, context.pos + 1);
  switch (target.kind) {
    case "key":
      return {
        options: Object.entries(text.keys).map(([label, detail], at) => ({
          label,
          detail,
          type: "property",
          apply: after === ":" ? label : `${label}: `,
          boost: -at,
        })),
        validFor: /^[A-Za-z]*$/,
      };
    case "word":
      return { options: listed(text.values[target.key] ?? {}), validFor: /^[a-z]*$/ };
    case "tool":
      return {
        options: Object.entries(tools).map(([label, params]) => ({
          label,
          detail: params.join(", "),
          type: "function",
          ...(target.key === "call" && { apply: callOf(label, target.isQuoted, after) }),
        })),
        validFor: /^[a-z_]*$/,
      };
    case "param":
      return {
        options: (tools[target.tool ?? ""] ?? []).map((label) => ({
          label,
          type: "variable",
          apply: `${target.isQuoted ? "" : '"'}${label}${after === '"' ? "" : '": '}`,
        })),
        validFor: /^[a-z_]*$/,
      };
    case "requirement":
      return {
        options: requirementsOf(context.state, sources).map(({ id, text: detail }) => ({
          label: id,
          detail,
          type: "constant",
        })),
        validFor: /^[\w.-]*$/,
      };
    case "task":
      return taskOptions(target, context, sources);
    case "path": {
      if (!(await pause(context))) return null;
      const found = await sources.files(target.typed).catch(() => []);
      return {
        options: found.map((path) => ({
          label: path,
          type: "text",
          apply: target.isQuoted ? path : `\`${path}\``,
        })),
        filter: false,
      };
    }
    case "command": {
      const found = await sources.commands().catch(() => []);
      return {
        options: found.map((command) => ({
          label: command,
          type: "text",
          apply: quoted(command, target.isQuoted, after),
        })),
      };
    }
  }
}

function listed(values: Record<string, string>): Completion[] {
  return Object.entries(values).map(([label, detail]) => ({ label, detail, type: "enum" }));
}

function quoted(text: string, isQuoted: boolean, after: string): string {
  if (!isQuoted) return `\`${text}\``;
  return after === "`" ? text : `${text}\``;
}

function callOf(tool: string, isQuoted: boolean, after: string): string {
  const required = tools[tool]?.[0];
  return quoted(required ? `${tool} {"${required}": ""}` : `${tool} {}`, isQuoted, after);
}

/** Waits for a pause in typing. Returns whether the completion is still wanted. */
async function pause(context: CompletionContext): Promise<boolean> {
  if (!context.explicit) await new Promise((done) => window.setTimeout(done, askAfterMs));
  return !context.aborted;
}

async function taskOptions(
  target: CompletionTarget,
  context: CompletionContext,
  sources: CompletionSources,
): Promise<Found | null> {
  const own = taskAt(context.state, context.state.doc.lineAt(context.pos).from)?.id;
  const isSkip = /skip\s+[\w.-]*$/.test(
    context.state.sliceDoc(Math.max(0, context.pos - 40), context.pos),
  );
  const options = isSkip
    ? []
    : listed(target.key === "option" ? text.effects : { none: text.noDependency });
  const seen = new Set<string>();
  const prefix = target.typed.toLowerCase();
  for (const { id, from } of eachTask(context.state)) {
    if (seen.size >= maxTasks) break;
    if (id === own || seen.has(id) || !id.toLowerCase().startsWith(prefix)) continue;
    seen.add(id);
    const line = context.state.doc.lineAt(from).text;
    options.push({ label: id, detail: titleOf(line, id), type: "variable" });
  }
  if (seen.size > 0 || !prefix) return { options };
  if (!(await pause(context))) return null;
  const found = await sources.tasks(target.typed).catch(() => []);
  return {
    options: found
      .filter(({ id }) => id !== own)
      .map(({ id, title }) => ({ label: id, detail: title, type: "variable" })),
    filter: false,
  };
}

/** The title in a step's line, without its checkbox and id. */
export function titleOf(line: string, id: string): string {
  const title = line
    .slice(0, 300)
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s*)?/u, "")
    .replace(`**${id}**`, "")
    .trim();
  return title.startsWith(`${id} `) ? title.slice(id.length).trim() : title;
}

const requirementLine = /^\s*[-*+]\s+\*{0,2}(R\d+(?:\.\d+)*)\*{0,2}\s+(.*)$/;
/** Number of lines at the top to search for requirements. */
const maxRequirementLine = 2000;

/** Requirements in the text, then those that are only in the saved plan. */
function requirementsOf(
  state: EditorState,
  sources: CompletionSources,
): { id: string; text: string }[] {
  const found = new Map<string, string>();
  let isInSection = false;
  const last = Math.min(state.doc.lines, maxRequirementLine);
  for (let number = 1; number <= last; number += 1) {
    const { text } = state.doc.line(number);
    if (/^#{1,6}\s/.test(text)) {
      if (isInSection) break;
      isInSection = /^#+\s+requirements\b/i.test(text);
    } else if (isInSection) {
      const [, id, rest] = requirementLine.exec(text) ?? [];
      if (id) found.set(id, rest ?? "");
    }
  }
  for (const { id, text } of sources.requirements()) if (!found.has(id)) found.set(id, text);
  return [...found].map(([id, text]) => ({ id, text }));
}
