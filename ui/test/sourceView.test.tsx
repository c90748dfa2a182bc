/** The source view: saves typed text to draft and file, merges changes on disk, and stays in sync with the other views. */
import { undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "./sourceBrowser";
import { listenForKeys } from "../src/app/keys";
import { PlanCentre } from "../src/app/PlanCentre";
import { getPlace, restorePlace, setPlace } from "../src/app/place";
import { pauseMs } from "../src/features/source/autosave";
import SourceTab from "../src/features/source/Source";
import SourcePart from "../src/features/source/SourcePart";
import { restMs } from "../src/features/source/useSelectedTask";
import { toasts } from "../src/lib/toast";
import { words } from "../src/words";
import { refusal, startBackend } from "./backend";
import { planBackend, planKey } from "./planBackend";

vi.setConfig({ testTimeout: 20_000 });

const first = `---
planwright: 1
---
# Add a flag

## Tasks
- [ ] **T1** Find the rows
  - files: \`src/report.py\`
- [ ] **T2** Clean up
  - depends: T1
`;

let stopKeys = () => {};
beforeEach(() => {
  stopKeys = listenForKeys();
  toasts.set([]);
});
afterEach(() => {
  stopKeys();
  vi.useRealTimers();
});

/** A backend with one file that merges, checks and sends events like the real one. */
class File {
  count = 1;
  text = first;
  texts: Record<string, string> = {};
  isWritable = true;
  problem: string | null = null;
  drafts: { key: string; text: string; revision: string | null; at_ms: number }[] = [];
  /** Handles the next save instead of the usual handler. */
  nextSave: (() => unknown) | null = null;
  tell: () => Promise<void> = async () => undefined;

  constructor() {
    this.texts[this.revision] = this.text;
  }

  get revision(): string {
    return `9b41c07ade12${String(this.count).padStart(52, "0")}`;
  }

  write(text: string): void {
    this.text = text;
    this.count += 1;
    this.texts[this.revision] = text;
  }

  async outside(text: string): Promise<void> {
    this.write(text);
    await this.tell();
  }

  written(merged = false) {
    return { outcome: "written", revision: this.revision, task: null, merged };
  }
}

async function open(file = new File(), place: Partial<ReturnType<typeof getPlace>> = {}) {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    drafts: () => file.drafts,
    save_draft: () => null,
    outline: (args) => ({
      ...(plan.answers.outline?.(args) as object),
      revision: file.revision,
      is_writable: file.isWritable,
      undo: "Title of T2",
    }),
    source: ({ revision }) => {
      const at = String(revision ?? file.revision);
      return {
        revision: at,
        text: file.texts[at],
        line_ending: "lf",
        is_writable: file.isWritable,
        problem: file.problem,
      };
    },
    check_text: ({ text }) => check(String(text)),
    text_fix: ({ text }) => fixOf(String(text)),
    save_text: ({ revision, text }) => {
      const { nextSave } = file;
      file.nextSave = null;
      if (nextSave) return nextSave();
      if (revision !== file.revision) throw refusal("failed", "the test names no answer");
      file.write(String(text));
      void file.tell();
      return file.written();
    },
  });
  file.tell = () =>
    backend.send({ kind: "plan", plan: planKey, revision: file.revision, author: "outside" });
  restorePlace({ ...plan.place, view: "source", ...place }, () => undefined);
  const page = render(
    <>
      <SourceTab />
      <SourcePart />
    </>,
    { wrapper: backend.wrapper },
  );
  const box = await screen.findByRole("textbox", { name: words.source.editor.label });
  const view = EditorView.findFromDOM(box);
  if (!view) throw new Error("there is no editor");
  return { file, backend, page, view, box };
}

function check(text: string) {
  const lines = text.split("\n");
  const tasks = lines.flatMap((line, at) => {
    const id = /^- \[.\] \*\*(T\d+)\*\*/.exec(line)?.[1];
    return id ? [{ id, line: at + 1, end: at + 2 }] : [];
  });
  const at = lines.findIndex((line) => line.includes("Clean up"));
  const from = lines[at]?.indexOf("Clean up") ?? 0;
  return {
    badge: { word: "fair", score: 78, findings: 1, critical: 0 },
    marks:
      at < 0
        ? []
        : [
            {
              finding: "f1",
              code: "vague",
              severity: "major",
              message: "“Clean up” does not say what to change",
              line: at + 1,
              from,
              to: from + 8,
              fixes: ["Name the file"],
            },
          ],
    tasks,
  };
}

/** The recommended fix of the only finding. */
function fixOf(text: string) {
  const from = text.indexOf("Clean up");
  return { label: "Name the file", changes: [{ from, to: from + 8, text: "Tidy src/cli.py" }] };
}

/** Types after `behind`, as a user would. */
function type(view: EditorView, behind: string, typed: string): void {
  const at = view.state.doc.toString().indexOf(behind) + behind.length;
  act(() => {
    view.focus();
    view.dispatch({
      changes: { from: at, insert: typed },
      selection: { anchor: at + typed.length },
      userEvent: "input.type",
    });
  });
}

const textOf = (view: EditorView) => view.state.doc.toString();

test("the editor has its text, a label and findings, and says how to leave it by keyboard", async () => {
  const { box, page } = await open();
  expect(box.getAttribute("aria-description")).toMatch(/Escape.*Tab/);
  expect(await screen.findByText("Fair · 78")).toBeDefined();
  expect(screen.getByRole("button", { name: "1 problem" })).toBeDefined();
  expect(screen.getByText("saved")).toBeDefined();
  const { violations } = await axe.run(page.container, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
  });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("typed text reaches the draft within 150 ms and the file after a pause, which deletes the draft", async () => {
  const { backend, view, file } = await open();
  vi.useFakeTimers({ shouldAdvanceTime: false });
  type(view, "Find the rows", " of the report");
  expect(screen.getByText("unsaved")).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(150));
  expect(backend.callsOf("save_draft").at(-1)).toMatchObject({
    key: "source",
    revision: file.revision,
  });
  expect(backend.callsOf("save_draft").at(-1)?.text).toContain("rows of the report");
  expect(backend.callsOf("save_text")).toEqual([]);
  const before = file.revision;
  await act(() => vi.advanceTimersByTimeAsync(pauseMs));
  vi.useRealTimers();
  await waitFor(() => expect(file.text).toContain("rows of the report"));
  expect(backend.callsOf("save_text")).toEqual([
    { plan: planKey, revision: before, text: textOf(view) },
  ]);
  await waitFor(() => expect(screen.getByText("saved")).toBeDefined());
  expect(backend.callsOf("save_draft").at(-1)).toMatchObject({ key: "source", text: "" });
});

test("Ctrl+S saves at once while typing", async () => {
  const { view, file } = await open();
  type(view, "Find the rows", "!");
  await userEvent.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(file.text).toContain("rows!"));
});

test("the editor's undo works past a save; after that the plan's undo is offered", async () => {
  const { view, file } = await open();
  type(view, "Find the rows", "!");
  await userEvent.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(file.text).toContain("rows!"));
  act(() => {
    undo(view);
  });
  expect(textOf(view)).toBe(first);
  await userEvent.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(file.text).toBe(first));
  await userEvent.keyboard("{Control>}z{/Control}");
  expect(toasts.get().at(-1)).toMatchObject({
    message: expect.stringContaining("Title of T2"),
    action: expect.objectContaining({ label: "Undo edit" }),
  });
});

test("an external change appears while nothing has been typed, and the cursor stays in place", async () => {
  const { view, file } = await open();
  act(() => view.dispatch({ selection: { anchor: textOf(view).indexOf("Clean") } }));
  await act(() => file.outside(first.replace("## Tasks", "One more\nline\n\n## Tasks")));
  await waitFor(() => expect(textOf(view)).toContain("One more"));
  const { head } = view.state.selection.main;
  expect(textOf(view).slice(head, head + 8)).toBe("Clean up");
  // The change wasn't typed here, so there is nothing to undo or save.
  expect(undo(view)).toBe(false);
  expect(screen.getByText("saved")).toBeDefined();
});

test("an external change leaves typed text alone; the merged text is shown after saving", async () => {
  const { view, file, backend } = await open();
  const base = file.revision;
  type(view, "Find the rows", " of mine");
  const theirs = first.replace("depends: T1", "depends: none");
  await act(() => file.outside(theirs));
  expect(textOf(view)).not.toContain("none");
  file.nextSave = () => {
    file.write(theirs.replace("Find the rows", "Find the rows of mine"));
    return file.written(true);
  };
  await userEvent.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(textOf(view)).toBe(file.text));
  expect(textOf(view)).toContain("rows of mine");
  expect(textOf(view)).toContain("depends: none");
  expect(backend.callsOf("save_text")[0]?.revision).toBe(base);
});

test("a conflict shows both sides, and the choice is saved with the rest of both", async () => {
  const { view, file } = await open();
  type(view, "Find the rows", " of mine");
  await act(() => file.outside(first.replace("Find the rows", "Find their rows")));
  file.nextSave = () => ({
    outcome: "conflict",
    revision: file.revision,
    mine: "- [ ] **T1** Find the rows of mine",
    theirs: "- [ ] **T1** Find their rows",
  });
  await userEvent.keyboard("{Control>}s{/Control}");
  const notice = await screen.findByRole("alert");
  expect(within(notice).getByLabelText("Your lines").textContent).toContain("rows of mine");
  expect(within(notice).getByLabelText("The file’s lines").textContent).toContain("their rows");
  expect(textOf(view)).toContain("rows of mine");
  await userEvent.click(within(notice).getByRole("button", { name: "Keep both" }));
  await waitFor(() => expect(file.text).toContain("rows of mine"));
  expect(file.text).toContain("Find their rows");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("text typed before the window closed is restored until saved or discarded", async () => {
  const file = new File();
  file.drafts = [
    {
      key: "source",
      text: first.replace("Clean up", "Typed before"),
      revision: file.revision,
      at_ms: 1,
    },
  ];
  const { view } = await open(file);
  expect(textOf(view)).toContain("Typed before");
  const notice = await screen.findByText(/Unsaved edits restored/);
  expect(notice).toBeDefined();
  expect(file.text).toBe(first);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(file.text).toContain("Typed before"));
  expect(screen.queryByText(/Unsaved edits restored/)).toBeNull();
});

test("a failed save says why, keeps the text, and can be retried", async () => {
  const { view, file } = await open();
  file.nextSave = () => {
    throw refusal("failed", "The disk is full. Free some space.");
  };
  type(view, "Find the rows", "!");
  await userEvent.keyboard("{Control>}s{/Control}");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The disk is full");
  expect(textOf(view)).toContain("rows!");
  await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(file.text).toContain("rows!"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a read-only text says why and can't be edited", async () => {
  const file = new File();
  file.isWritable = false;
  file.problem = "The plan lies in another program's folder. Copy it here to change it.";
  const { view, box } = await open(file);
  expect(screen.getByRole("region", { name: "About the file" }).textContent).toContain(
    "another program's folder",
  );
  expect(view.state.readOnly).toBe(true);
  expect(box.getAttribute("aria-readonly")).toBe("true");
  expect(screen.getByText("read-only")).toBeDefined();
});

test("a fix is applied by keyboard to the text only, and saved like typed text", async () => {
  const { view, file } = await open();
  await screen.findByRole("button", { name: "1 problem" });
  act(() => view.focus());
  await userEvent.keyboard("{F8}");
  await userEvent.keyboard("{Alt>}{Enter}{/Alt}");
  expect(document.activeElement?.textContent).toBe("Name the file");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(textOf(view)).toContain("**T2** Tidy src/cli.py"));
  expect(document.activeElement).toBe(view.contentDOM);
  await userEvent.keyboard("{Control>}s{/Control}");
  await waitFor(() => expect(file.text).toContain("Tidy src/cli.py"));
});

test("the selected step and the cursor follow each other", async () => {
  const { view } = await open(new File(), { task: "T2" });
  const lineOf = () => view.state.doc.lineAt(view.state.selection.main.head).text;
  await waitFor(() => expect(lineOf()).toContain("**T2**"));
  expect(getPlace().task).toBe("T2");
  act(() => setPlace({ task: "T1" }));
  await waitFor(() => expect(lineOf()).toContain("**T1**"));

  // A selection in another view doesn't move the cursor while the editor has focus.
  act(() => {
    view.focus();
    view.dispatch({
      selection: { anchor: textOf(view).indexOf("depends") },
      userEvent: "select",
    });
  });
  await waitFor(() => expect(getPlace().task).toBe("T2"), { timeout: restMs + 2000 });
  act(() => setPlace({ task: "T1" }));
  await act(async () => undefined);
  expect(lineOf()).toContain("depends");
});

test("g s shows the selected step in the source from any view", async () => {
  const { view } = await open(new File(), { task: "T1", view: "source" });
  await screen.findByText("Fair · 78");
  act(() => {
    view.dispatch({ selection: { anchor: 0 } });
    view.contentDOM.blur();
    setPlace({ view: "outline" });
  });
  await userEvent.keyboard("gs");
  expect(getPlace().view).toBe("source");
  await waitFor(() => expect(document.activeElement).toBe(view.contentDOM));
  expect(view.state.doc.lineAt(view.state.selection.main.head).text).toContain("**T1**");
});

test("switching views keeps undo history and cursor, and saves typed text", async () => {
  const { view, file, page, backend } = await open();
  type(view, "Find the rows", "!");
  page.unmount();
  await waitFor(() => expect(file.text).toContain("rows!"));
  render(<SourceTab />, { wrapper: backend.wrapper });
  const again = EditorView.findFromDOM(
    await screen.findByRole("textbox", { name: words.source.editor.label }),
  );
  if (!again) throw new Error("there is no editor");
  await waitFor(() => expect(screen.queryByText(/Unsaved edits restored/)).toBeNull());
  expect(textOf(again)).toContain("rows!");
  expect(again.state.selection.main.head).toBe(first.indexOf("Find the rows") + 14);
  act(() => {
    undo(again);
  });
  expect(textOf(again)).toBe(first);
});

test("a file that isn't valid text is shown as far as possible, with the reason", async () => {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    outline: () => {
      throw refusal("unusable_plan", "the file is not UTF-8");
    },
    source: () => ({
      revision: "r1",
      text: "# caf\ufffd\n",
      line_ending: "lf",
      is_writable: false,
      problem: "the file is not UTF-8 from byte 5 on",
    }),
  });
  restorePlace(plan.place, () => undefined);
  render(<PlanCentre />, { wrapper: backend.wrapper });
  const box = await screen.findByRole("textbox", { name: words.source.editor.label });
  expect(box.textContent).toContain("# caf\ufffd");
  expect(box.getAttribute("aria-readonly")).toBe("true");
  expect(screen.getByText(/not UTF-8 from byte 5/)).toBeDefined();

  // A file that can't be shown at all has its own message.
  backend.answers.source = () => {
    throw refusal("unusable_plan", "larger than a plan may be");
  };
  await act(() => backend.send({ kind: "plan", plan: planKey, revision: null, author: "outside" }));
  await screen.findByText("Can’t show this plan");
});

test("a text that can't be read says so", async () => {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    source: () => {
      throw refusal("failed", "The file is larger than a plan may be.");
    },
  });
  restorePlace(plan.place, () => undefined);
  render(<SourceTab />, { wrapper: backend.wrapper });
  expect((await screen.findByRole("alert")).textContent).toContain("larger than a plan may be");
});
