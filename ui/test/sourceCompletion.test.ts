/** Completion in a plan's text: keys, their values, ids, paths, tools and commands. */
import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { expect, test, vi } from "vitest";
import {
  type CompletionSources,
  completeFrom,
  isUnderTask,
  targetAt,
  titleOf,
} from "../src/features/source/completion";
import { setTasks, tasks } from "../src/features/source/tasks";
import { words } from "../src/words";

const text = `# A plan

## Requirements
- R1 one row, one object
- **R2** the default stays

## Tasks
- [ ] **T1** Find the rows
  - covers: R1
- [ ] **T2** Add the flag
  Prose under it.
  - depends: T1
- [ ] **T3** Print
`;

const sources: CompletionSources = {
  files: async (typed) => ["src/cli.py", "src/report.py"].filter((path) => path.includes(typed)),
  tasks: async (typed) => [{ id: "T90", title: `far away, with ${typed}` }],
  commands: async () => ["python3 -m unittest", "npm test"],
  requirements: () => [{ id: "R3", text: "only in the saved plan" }],
};

/** Types `line` as another line of T2 and requests completions there; `|` is the cursor. */
async function offer(line: string, known: Partial<CompletionSources> = {}) {
  const at = line.indexOf("|") < 0 ? line.length : line.indexOf("|");
  const typed = line.replace("|", "");
  const lines = text.split("\n");
  lines.splice(12, 0, typed);
  let state = EditorState.create({ doc: lines.join("\n"), extensions: tasks });
  state = state.update({
    effects: setTasks.of([
      { id: "T1", line: 8, end: 9 },
      { id: "T2", line: 10, end: 13 },
      { id: "T3", line: 14, end: 14 },
    ]),
  }).state;
  const pos = state.doc.line(13).from + at;
  const result = await completeFrom({ ...sources, ...known })(
    new CompletionContext(state, pos, true),
  );
  return { state, pos, result };
}

const labels = (result: CompletionResult | null) => result?.options.map(({ label }) => label);

/** The line after accepting the option with this label. */
async function taken(line: string, label: string): Promise<string> {
  const { state, pos, result } = await offer(line);
  const option = result?.options.find((one) => one.label === label);
  if (!result || !option) throw new Error(`${label} is not offered: ${labels(result)}`);
  const insert = typeof option.apply === "string" ? option.apply : option.label;
  const after = state.update({ changes: { from: result.from, to: pos, insert } }).state;
  return after.doc.line(13).text;
}

test("after a list marker under a step the format's keys are offered, each with its purpose", async () => {
  const { result } = await offer("  - ");
  expect(labels(result)).toEqual(Object.keys(words.source.completion.keys));
  expect(result?.options[0]?.detail).toContain("steps it depends on");
  expect(await taken("  - ver", "verify")).toBe("  - verify: ");
  expect(await taken("  - ver|: x", "verify")).toBe("  - verify: x");
});

test("nothing is offered outside a step", async () => {
  expect((await offer("- ")).result).toBeNull();
  expect((await offer("prose")).result).toBeNull();
  const state = EditorState.create({ doc: "## Notes\n- a list\n  - \n" });
  expect(isUnderTask(state, 3)).toBe(false);
});

test("a line under a step is recognized before the next check has answered", () => {
  const state = EditorState.create({ doc: "- [ ] **T1** x\n\n  - a: b\n    deeper\n  - " });
  expect(isUnderTask(state, 5)).toBe(true);
});

test("keys with fixed choices offer their values", async () => {
  expect(labels((await offer("  - type: ")).result)).toEqual(["checkpoint", "decision"]);
  expect(labels((await offer("  - by: p")).result)).toEqual(["agent", "person", "either"]);
  expect(labels((await offer("  - confirm: ")).result)).toEqual(["yes", "no"]);
});

test("depends and an option's arrow offer the ids of other steps, with titles", async () => {
  const { result } = await offer("  - depends: T1, ");
  expect(labels(result)).toEqual(["none", "T1", "T3"]);
  expect(result?.options.find(({ label }) => label === "T1")?.detail).toBe(" Find the rows");
  expect(await taken("  - depends: T1, T", "T3")).toBe("  - depends: T1, T3");
  const arrow = await offer("  - option: Do it -> ");
  expect(labels(arrow.result)).toEqual(["continue", "review", "stop", "skip", "T1", "T3"]);
  expect(labels((await offer("  - option: Leave it -> skip T")).result)).toEqual(["T1", "T3"]);
  expect((await offer("  - option: Do i")).result).toBeNull();
});

test("a step missing from the last check is looked up", async () => {
  expect(labels((await offer("  - depends: T9")).result)).toEqual(["T90"]);
});

test("requirements in the text come first, then those of the saved plan", async () => {
  const { result } = await offer("  - covers: ");
  expect(labels(result)).toEqual(["R1", "R2", "R3"]);
  expect(result?.options[1]?.detail).toBe(" the default stays");
});

test("paths are put in backticks, without doubling them", async () => {
  expect(await taken("  - files: rep", "src/report.py")).toBe("  - files: `src/report.py`");
  expect(await taken("  - files: `src/cli.py`, `rep|`", "src/report.py")).toBe(
    "  - files: `src/cli.py`, `src/report.py`",
  );
});

test("a call completes the tool, its parameters, and paths in its arguments", async () => {
  expect(await taken("  - call: sea", "search_files")).toBe(
    '  - call: `search_files {"pattern": ""}`',
  );
  expect(labels((await offer('  - call: `search_files {"pattern": "x", "')).result)).toEqual([
    "pattern",
    "path",
  ]);
  expect(await taken('  - call: `search_files {"pattern": "x", ', "path")).toBe(
    '  - call: `search_files {"pattern": "x", "path": ',
  );
  expect(await taken('  - call: `read_file {"path": "rep|"}`', "src/report.py")).toBe(
    '  - call: `read_file {"path": "src/report.py"}`',
  );
});

test("commands after verify replace the typed prefix", async () => {
  expect(await taken("  - verify: npm t", "npm test")).toBe("  - verify: `npm test`");
  expect(await taken("  - verify: `npm t|`", "npm test")).toBe("  - verify: `npm test`");
  expect((await offer("  - verify: `npm test` ")).result).toBeNull();
});

test("while typing, the backend is queried only after a pause", async () => {
  vi.useFakeTimers();
  const files = vi.fn(sources.files);
  const state = EditorState.create({ doc: "- [ ] **T1** x\n  - files: s", extensions: tasks });
  const context = new CompletionContext(state, state.doc.length, false);
  const asked = completeFrom({ ...sources, files })(context);
  expect(files).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(labels(await asked)).toEqual(["src/cli.py", "src/report.py"]);
  vi.useRealTimers();
});

test("a failed query offers nothing and raises no error", async () => {
  const files = () => Promise.reject(new Error("gone"));
  expect(labels((await offer("  - files: s", { files })).result)).toEqual([]);
});

test.each([
  ["  - depends: T1,T2", "task", "T2"],
  ["  - covers: R1, R", "requirement", "R"],
  ["\t* Files: `a b", "path", "a b"],
  ["  - tools: `read_file`, ed", "tool", "ed"],
] as const)("%s asks for a %s", (line, kind, typed) => {
  expect(targetAt(line)).toMatchObject({ kind, typed, from: line.length - typed.length });
});

test("a title is the text after the checkbox and id", () => {
  expect(titleOf("- [x] **T1** Find the rows", "T1")).toBe("Find the rows");
  expect(titleOf("1. [ ] T5 Update", "T5")).toBe("Update");
  expect(titleOf("- [ ] no id at all", "#3")).toBe("no id at all");
});
