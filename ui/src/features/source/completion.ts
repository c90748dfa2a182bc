/** What can be typed next: keys of a task, their values, task and requirement ids, paths, tools and commands. What is asked for is told from the line alone; who knows the answer is given by the caller. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import { eachTask, taskAt } from "./tasks";

/** What belongs at the cursor. `from` is the column where what is typed of it begins. */
export interface Asked {
  kind: "key" | "word" | "task" | "requirement" | "path" | "tool" | "param" | "command";
  from: number;
  words: string;
  /** The key in whose value the cursor stands. */
  key: string;
  /** Whether what is typed of it stands behind its backtick, or quote, already. */
  isQuoted: boolean;
  /** The tool whose parameters are asked for. */
  tool?: string;
}

/** Keys of a task, with what each is for. */
export const keyHelp: Record<string, string> = {
  depends: "what it waits for: ids, or nothing; without it, the one above",
  files: "the files it may change",
  covers: "the requirements it fulfils",
  verify: "a command that proves it",
  accept: "when it counts as done",
  type: "checkpoint or decision",
  by: "who does it: agent, person or either",
  call: "one tool call, instead of a model",
  option: "a choice: words -> T3, continue, review, stop",
  complexity: "1 to 10",
  why: "why it is there",
  note: "what to keep in mind",
  assume: "what is taken for granted",
  needs: "what must be there first",
  tools: "the tools it may use",
  confirm: "no: tells without asking",
  strategy: "upfront, iterative or hybrid",
  mute: "a finding that is known",
  origin: "where it comes from",
  skipped: "why it is left out",
};

const words: Record<string, Record<string, string>> = {
  type: { checkpoint: "a pause for a look", decision: "a question with options" },
  by: { agent: "a model or a call", person: "you", either: "whoever comes first" },
  confirm: { yes: "asks before it goes on", no: "tells only" },
  strategy: {
    upfront: "planned whole",
    iterative: "the plan grows while it runs",
    hybrid: "some of both",
  },
};

const effects: Record<string, string> = {
  continue: "goes on",
  review: "opens the changes first",
  stop: "ends the run",
  skip: "leaves a task out: skip T4",
};

const waitWords: Record<string, string> = { nothing: "can begin at once" };

/** Tools and their parameters, the needed ones first. */
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

const keyBegun = /^(\s+[-*+]\s+)([A-Za-z]*)$/;
const valueBegun = /^\s+[-*+]\s+([A-Za-z]+):(.*)$/;

/** What is asked for at the end of `before`, the line up to the cursor. */
export function askedAt(before: string): Asked | null {
  const key = keyBegun.exec(before);
  if (key) {
    const typed = key[2] ?? "";
    return {
      kind: "key",
      from: before.length - typed.length,
      words: typed,
      key: "",
      isQuoted: false,
    };
  }
  const value = valueBegun.exec(before);
  if (!value) return null;
  const name = (value[1] ?? "").toLowerCase();
  return valueAsked(name, value[2] ?? "", before.length);
}

function valueAsked(key: string, value: string, end: number): Asked | null {
  const asked = (kind: Asked["kind"], typed: string, more: Partial<Asked> = {}): Asked => ({
    kind,
    from: end - typed.length,
    words: typed,
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
      return typed === undefined ? null : asked("word", typed);
    }
    case "depends": {
      const typed = last(/(?:^|[\s,])([\w.-]*)$/);
      return typed === undefined ? null : asked("task", typed);
    }
    case "option": {
      const typed = last(/(?:->|→)\s*(?:skip\s+)?([\w.-]*)$/);
      return typed === undefined ? null : asked("task", typed);
    }
    case "covers": {
      const typed = last(/(?:^|[\s,])([\w.-]*)$/);
      return typed === undefined ? null : asked("requirement", typed);
    }
    case "files": {
      const isQuoted = (value.match(/`/g)?.length ?? 0) % 2 === 1;
      const typed = isQuoted ? last(/`([^`]*)$/) : last(/(?:^|[\s,])([^\s,`]*)$/);
      return typed === undefined ? null : asked("path", typed, { isQuoted });
    }
    case "tools": {
      const typed = last(/(?:^|[\s,`])([a-z_]*)$/);
      return typed === undefined ? null : asked("tool", typed);
    }
    case "call":
      return callAsked(value, asked);
    case "verify": {
      const typed = /^\s*(`?)([^`]*)$/.exec(value);
      return typed ? asked("command", typed[2] ?? "", { isQuoted: typed[1] === "`" }) : null;
    }
    default:
      return null;
  }
}

function callAsked(
  value: string,
  asked: (kind: Asked["kind"], typed: string, more?: Partial<Asked>) => Asked,
): Asked | null {
  const name = /^\s*(`?)([a-z_]*)$/.exec(value);
  if (name) return asked("tool", name[2] ?? "", { isQuoted: name[1] === "`" });
  const tool = /^\s*`?([a-z_]+)\s*\{/.exec(value)?.[1];
  if (!tool) return null;
  const path = /"path"\s*:\s*"([^"]*)$/.exec(value)?.[1];
  if (path !== undefined) return asked("path", path, { isQuoted: true });
  const param = /[{,]\s*("?)([a-z_]*)$/.exec(value);
  return param ? asked("param", param[2] ?? "", { tool, isQuoted: param[1] === '"' }) : null;
}

/** Who knows what the plan's text does not say. */
export interface Knowledge {
  files: (words: string) => Promise<string[]>;
  tasks: (words: string) => Promise<{ id: string; title: string }[]>;
  commands: () => Promise<string[]>;
  /** Of the plan as it was saved last. */
  requirements: () => { id: string; text: string }[];
}

/** A pause before the backend is asked. */
const askAfterMs = 80;
const mostTasks = 400;

export function completeFrom(knowledge: Knowledge) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.state.doc.lineAt(context.pos);
    if (line.length > 4000) return null;
    const asked = askedAt(line.text.slice(0, context.pos - line.from));
    if (!asked || !isUnderTask(context.state, line.number)) return null;
    const from = line.from + asked.from;
    const known = await optionsOf(asked, context, knowledge);
    if (!known || context.aborted) return null;
    return { from, ...known, options: known.options.map(spaced) };
  };
}

const boxLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[.\]\s/u;
/** Lines that are looked at above the cursor. */
const mostAbove = 200;

const indentOf = (text: string) => text.length - text.trimStart().length;

/** Whether the lines above make this one a task's. Told from the text, because the last check may be older than the line. */
export function isUnderTask(state: EditorState, number: number): boolean {
  let indent = indentOf(state.doc.line(number).text);
  for (let above = number - 1; above > 0 && number - above <= mostAbove && indent > 0; above -= 1) {
    const { text } = state.doc.line(above);
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    if (boxLine.test(text)) return true;
    indent = indentOf(text);
  }
  return false;
}

/** Label and detail are read as one: a blank keeps them two words. */
function spaced(option: Completion): Completion {
  return option.detail ? { ...option, detail: ` ${option.detail}` } : option;
}

type Known = Pick<CompletionResult, "options" | "filter" | "validFor">;

async function optionsOf(
  asked: Asked,
  context: CompletionContext,
  knowledge: Knowledge,
): Promise<Known | null> {
  const behind = context.state.sliceDoc(context.pos, context.pos + 1);
  switch (asked.kind) {
    case "key":
      return {
        options: Object.entries(keyHelp).map(([label, detail], at) => ({
          label,
          detail,
          type: "property",
          apply: behind === ":" ? label : `${label}: `,
          boost: -at,
        })),
        validFor: /^[A-Za-z]*$/,
      };
    case "word":
      return { options: listed(words[asked.key] ?? {}), validFor: /^[a-z]*$/ };
    case "tool":
      return {
        options: Object.entries(tools).map(([label, params]) => ({
          label,
          detail: params.join(", "),
          type: "function",
          ...(asked.key === "call" && { apply: callOf(label, asked.isQuoted, behind) }),
        })),
        validFor: /^[a-z_]*$/,
      };
    case "param":
      return {
        options: (tools[asked.tool ?? ""] ?? []).map((label) => ({
          label,
          type: "variable",
          apply: `${asked.isQuoted ? "" : '"'}${label}${behind === '"' ? "" : '": '}`,
        })),
        validFor: /^[a-z_]*$/,
      };
    case "requirement":
      return {
        options: requirementsOf(context.state, knowledge).map(({ id, text }) => ({
          label: id,
          detail: text,
          type: "constant",
        })),
        validFor: /^[\w.-]*$/,
      };
    case "task":
      return tasksKnown(asked, context, knowledge);
    case "path": {
      if (!(await pause(context))) return null;
      const found = await knowledge.files(asked.words).catch(() => []);
      return {
        options: found.map((path) => ({
          label: path,
          type: "text",
          apply: asked.isQuoted ? path : `\`${path}\``,
        })),
        filter: false,
      };
    }
    case "command": {
      const found = await knowledge.commands().catch(() => []);
      return {
        options: found.map((command) => ({
          label: command,
          type: "text",
          apply: quoted(command, asked.isQuoted, behind),
        })),
      };
    }
  }
}

function listed(known: Record<string, string>): Completion[] {
  return Object.entries(known).map(([label, detail]) => ({ label, detail, type: "enum" }));
}

function quoted(text: string, isQuoted: boolean, behind: string): string {
  if (!isQuoted) return `\`${text}\``;
  return behind === "`" ? text : `${text}\``;
}

function callOf(tool: string, isQuoted: boolean, behind: string): string {
  const needed = tools[tool]?.[0];
  return quoted(needed ? `${tool} {"${needed}": ""}` : `${tool} {}`, isQuoted, behind);
}

/** Waits for a pause in typing; says whether the answer is still wanted. */
async function pause(context: CompletionContext): Promise<boolean> {
  if (!context.explicit) await new Promise((done) => window.setTimeout(done, askAfterMs));
  return !context.aborted;
}

async function tasksKnown(
  asked: Asked,
  context: CompletionContext,
  knowledge: Knowledge,
): Promise<Known | null> {
  const own = taskAt(context.state, context.state.doc.lineAt(context.pos).from)?.id;
  const isSkip = /skip\s+[\w.-]*$/.test(
    context.state.sliceDoc(Math.max(0, context.pos - 40), context.pos),
  );
  const options = isSkip ? [] : listed(asked.key === "option" ? effects : waitWords);
  const seen = new Set<string>();
  const begun = asked.words.toLowerCase();
  for (const { id, from } of eachTask(context.state)) {
    if (seen.size >= mostTasks) break;
    if (id === own || seen.has(id) || !id.toLowerCase().startsWith(begun)) continue;
    seen.add(id);
    const line = context.state.doc.lineAt(from).text;
    options.push({ label: id, detail: titleOf(line, id), type: "variable" });
  }
  if (seen.size > 0 || !begun) return { options };
  if (!(await pause(context))) return null;
  const found = await knowledge.tasks(asked.words).catch(() => []);
  return {
    options: found
      .filter(({ id }) => id !== own)
      .map(({ id, title }) => ({ label: id, detail: title, type: "variable" })),
    filter: false,
  };
}

/** The words of a task's line without its box and its id. */
export function titleOf(line: string, id: string): string {
  const title = line
    .slice(0, 300)
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[.\]\s*)?/u, "")
    .replace(`**${id}**`, "")
    .trim();
  return title.startsWith(`${id} `) ? title.slice(id.length).trim() : title;
}

const requirementLine = /^\s*[-*+]\s+\*{0,2}(R\d+(?:\.\d+)*)\*{0,2}\s+(.*)$/;
/** Lines at the top in which requirements are looked for. */
const requirementLines = 2000;

/** Requirements as they stand in the text now, then those that only the saved plan knows. */
function requirementsOf(state: EditorState, knowledge: Knowledge): { id: string; text: string }[] {
  const found = new Map<string, string>();
  let isInside = false;
  const last = Math.min(state.doc.lines, requirementLines);
  for (let number = 1; number <= last; number += 1) {
    const { text } = state.doc.line(number);
    if (/^#{1,6}\s/.test(text)) {
      if (isInside) break;
      isInside = /^#+\s+requirements\b/i.test(text);
    } else if (isInside) {
      const [, id, rest] = requirementLine.exec(text) ?? [];
      if (id) found.set(id, rest ?? "");
    }
  }
  for (const { id, text } of knowledge.requirements()) if (!found.has(id)) found.set(id, text);
  return [...found].map(([id, text]) => ({ id, text }));
}
