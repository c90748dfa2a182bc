/** Marks in the text: their positions, how they move during typing, and that fixes apply at the right place. Also step positions, folding, line kinds and the checker. */
import { foldable } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { afterEach, expect, test, vi } from "vitest";
import "./sourceBrowser";
import type { TextFix, TextMark, TextReport } from "../src/api/bindings";
import { Checker } from "../src/features/source/checker";
import { hangOf, lineKind } from "../src/features/source/language";
import {
  goToMark,
  type MarkPorts,
  marks,
  marksOf,
  offerFixes,
  showMarks,
  toDiagnostics,
} from "../src/features/source/marks";
import {
  findTask,
  foldTasks,
  frontMatterEnd,
  setTasks,
  taskAt,
  tasks,
} from "../src/features/source/tasks";

const text = "# A plan\n\n- [ ] **T1** Clean up 😀 it\n  - files: x\n\n- [ ] **T2** Next\n";

function mark(more: Partial<TextMark> = {}): TextMark {
  return {
    finding: "f1",
    code: "vague",
    severity: "major",
    message: "“Clean up” does not say what to change",
    line: 3,
    from: 13,
    to: 21,
    fixes: ["Name the file", "Split it"],
    ...more,
  };
}

/** Ports that compute a fix as the backend does: from the positions in the text `given`. */
function ports(more: Partial<MarkPorts> = {}): MarkPorts {
  return {
    fix: async (given, _finding, option) => {
      const from = given.indexOf("Clean up");
      const end = given.length;
      return {
        label: option === 0 ? "Name the file" : "Split it",
        changes: [
          { from, to: from + 8, text: option === 0 ? "Tidy src/a.py" : "Tidy" },
          { from: end, to: end, text: "- [ ] **T3** More\n" },
        ],
      };
    },
    mute: () => {},
    failed: (cause) => {
      throw cause;
    },
    ...more,
  };
}

let view: EditorView | null = null;
afterEach(() => view?.destroy());

function open(more: Extension = []): EditorView {
  view = new EditorView({
    parent: document.body,
    state: EditorState.create({ doc: text, extensions: [marks, tasks, more] }),
  });
  return view;
}

const doc = EditorState.create({ doc: text }).doc;

test("one-based lines and UTF-16 columns become positions", () => {
  const [one] = toDiagnostics(doc, [mark()], ports());
  expect(doc.sliceString(one?.from ?? 0, one?.to)).toBe("Clean up");
  expect(one).toMatchObject({ severity: "warning" });
  expect(one?.actions?.map(({ name }) => name)).toEqual([
    "Name the file",
    "Split it",
    "Mute with a reason…",
  ]);
});

test("a mark without a width covers its line's text; one past the end, the last line", () => {
  const [wide] = toDiagnostics(doc, [mark({ line: 4, from: 0, to: 0 })], ports());
  expect(doc.sliceString(wide?.from ?? 0, wide?.to)).toBe("- files: x");
  const [beyond] = toDiagnostics(doc, [mark({ line: 999, from: 50, to: 90 })], ports());
  expect(beyond).toMatchObject({ from: text.length, to: text.length });
});

test("severities are distinguished, and a read-only text offers no fixes", () => {
  const all = ["critical", "major", "minor", "info"].map((severity) => mark({ severity }));
  expect(toDiagnostics(doc, all, null).map(({ severity }) => severity)).toEqual([
    "error",
    "warning",
    "info",
    "hint",
  ]);
  expect(toDiagnostics(doc, all, null).every(({ actions }) => actions?.length === 0)).toBe(true);
});

const openButtons = (editor: EditorView) => [
  ...editor.dom.querySelectorAll<HTMLButtonElement>(".pw-cards button"),
];

function cardAtMark(editor: EditorView): HTMLButtonElement[] {
  editor.dispatch({ selection: { anchor: editor.state.doc.toString().indexOf("Clean") } });
  expect(offerFixes(editor)).toBe(true);
  return openButtons(editor);
}

test("each fix is a button, and the chosen one is applied to the current text", async () => {
  const editor = open();
  showMarks(editor, [mark()], [], ports());
  editor.dispatch({ changes: { from: 0, insert: "Typed above\n" } });
  editor.dispatch({ changes: { from: editor.state.doc.length, insert: "typed below\n" } });
  const [first, second] = cardAtMark(editor);
  expect(document.activeElement).toBe(first);
  second?.click();
  await vi.waitFor(() => expect(editor.dom.querySelector(".pw-cards")).toBeNull());
  expect(editor.state.doc.toString()).toBe(
    `Typed above\n${text.replace("Clean up", "Tidy")}typed below\n- [ ] **T3** More\n`,
  );
});

test("a fix that arrives after the text changed isn't applied", async () => {
  const editor = open();
  const failed = vi.fn();
  let answer = (_: TextFix) => {};
  const slow = ports({ failed, fix: () => new Promise((done) => (answer = done)) });
  showMarks(editor, [mark()], [], slow);
  cardAtMark(editor)[0]?.click();
  editor.dispatch({ changes: { from: 0, insert: "Typed meanwhile\n" } });
  answer({ label: "Name the file", changes: [{ from: 23, to: 31, text: "wrong place" }] });
  await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  expect(editor.state.doc.toString()).toBe(`Typed meanwhile\n${text}`);
});

test("a finding can be muted from its card; a parser problem can't", () => {
  const editor = open();
  const mute = vi.fn();
  showMarks(editor, [mark()], [], ports({ mute }));
  cardAtMark(editor).at(-1)?.click();
  expect(mute).toHaveBeenCalledWith(expect.objectContaining({ finding: "f1" }));
  expect(editor.dom.querySelector(".pw-cards")).toBeNull();
  showMarks(editor, [mark({ finding: null, fixes: [] })], [], ports({ mute }));
  expect(marksOf(editor.state)[0]?.actions).toEqual([]);
});

test("F8 cycles through the marks and shows their messages; typing closes the card", () => {
  const editor = open();
  showMarks(
    editor,
    [mark(), mark({ line: 6, from: 6, to: 12, message: "No check", fixes: [] })],
    [],
    ports(),
  );
  const card = () => editor.dom.querySelector(".pw-cards")?.textContent;
  goToMark(editor);
  expect(editor.state.selection.main.head).toBe(marksOf(editor.state)[0]?.from);
  expect(card()).toContain("does not say what to change");
  goToMark(editor);
  expect(card()).toContain("No check");
  goToMark(editor);
  expect(card()).toContain("does not say what to change");
  goToMark(editor, -1);
  expect(card()).toContain("No check");
  editor.dispatch({ changes: { from: 0, insert: "x" } });
  expect(card()).toBeUndefined();
});

test("without marks nothing happens", () => {
  const editor = open();
  expect(goToMark(editor)).toBe(false);
  expect(offerFixes(editor)).toBe(false);
});

const places = [
  { id: "T1", line: 3, end: 5 },
  { id: "T1.1", line: 4, end: 4 },
  { id: "T2", line: 6, end: 6 },
];

test("the innermost step at a position is found, even as the text moves", () => {
  const editor = open();
  editor.dispatch({ effects: setTasks.of(places) });
  expect(taskAt(editor.state, text.indexOf("files"))?.id).toBe("T1.1");
  expect(taskAt(editor.state, 0)).toBeNull();
  editor.dispatch({ changes: { from: 0, insert: "a\nb\n" } });
  expect(taskAt(editor.state, text.indexOf("Next") + 4)?.id).toBe("T2");
  expect(findTask(editor.state, "T2")?.from).toBe(text.indexOf("- [ ] **T2**") + 4);
  // A line added at the end of a step belongs to the step even before the next check.
  const { length } = editor.state.doc.toString().trimEnd();
  editor.dispatch({ changes: { from: length, insert: "\n  - by: person" } });
  expect(taskAt(editor.state, length + 5)?.id).toBe("T2");
});

test("steps and the front matter can be folded, and nothing else", () => {
  const front = `---\nid: x\n---\n${text}`;
  let state = EditorState.create({ doc: front, extensions: [tasks] });
  state = state.update({
    effects: setTasks.of(places.map((one) => ({ ...one, line: one.line + 3, end: one.end + 3 }))),
  }).state;
  const range = (number: number) => {
    const line = state.doc.line(number);
    const found = foldable(state, line.from, line.to);
    return found && state.sliceDoc(found.from, found.to);
  };
  expect(frontMatterEnd(state)).toBe(3);
  expect(range(1)).toBe("\nid: x\n---");
  expect(range(6)).toBe("\n  - files: x");
  expect(range(7)).toBeNull();
  expect(range(9)).toBeNull();
});

test("folding all leaves the text unchanged", () => {
  const editor = open();
  editor.dispatch({ effects: setTasks.of(places) });
  foldTasks(editor);
  expect(editor.state.doc.toString()).toBe(text);
});

test("the kind of a line is derived from its text", () => {
  expect(lineKind("- [x] **T1** Done")).toEqual({ kind: "task", isDone: true, id: null });
  expect(lineKind("  1. [ ] T2 Plain id")).toEqual({ kind: "task", isDone: false, id: [9, 11] });
  expect(lineKind("- [-] S3 bucket")).toEqual({ kind: "task", isDone: false, id: null });
  expect(lineKind("  - verify: `x`")).toMatchObject({ kind: "key" });
  expect(lineKind("- note: not under a task")).toBeNull();
  expect(lineKind("  - see https://x.y")).toBeNull();
  expect(hangOf("  - [ ] x")).toBe(4);
  expect(hangOf("\t- x")).toBe(0);
});

/** A backend that answers only when the test tells it to. */
function slowBackend() {
  const asked: { text: string; answer: (report: TextReport) => void }[] = [];
  const check = (given: string) =>
    new Promise<TextReport>((answer) => asked.push({ text: given, answer }));
  return { asked, check };
}

test("only the answer for the current text is used, and only one request runs at a time", async () => {
  const { asked, check } = slowBackend();
  const found: string[] = [];
  let now = "one";
  let version = 0;
  const report = (word: string): TextReport => ({
    badge: { word, score: 1, findings: 0, critical: 0 },
    marks: [],
    tasks: [],
  });
  const checker = new Checker({
    read: () => now,
    version: () => version,
    check,
    found: ({ badge }) => found.push(badge.word),
    failed: (cause) => found.push(String(cause)),
  });
  void checker.now();
  now = "two";
  version = 1;
  void checker.now();
  now = "three";
  version = 2;
  void checker.now();
  expect(asked.map((one) => one.text)).toEqual(["one"]);
  asked[0]?.answer(report("of one"));
  await Promise.resolve();
  await Promise.resolve();
  expect(asked.map((one) => one.text)).toEqual(["one", "three"]);
  asked[1]?.answer(report("of three"));
  await Promise.resolve();
  await Promise.resolve();
  expect(found).toEqual(["of three"]);
});
