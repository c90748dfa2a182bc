/** The history: which revisions are compared, the word diff, and a restore that previews its changes. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Comparison, HistoryEntry } from "../src/api/bindings";
import { App } from "../src/app/App";
import { availableActions, listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { deafMs } from "../src/components/ConfirmDialog";
import { ago, entryLine, entryTitle } from "../src/features/history/format";
import HistoryTab from "../src/features/history/History";
import {
  atNewest,
  comparedOf,
  markOther,
  pick,
  select,
  toggleMark,
  withNow,
} from "../src/features/history/sides";
import { conflict } from "../src/features/outline/useSend";
import { toasts } from "../src/lib/toast";
import {
  type Answers,
  outline,
  planPath,
  start,
  startBackend,
  summary,
  workspace,
  workspacePath,
} from "./backend";

const rev = (sign: string) => sign.padEnd(64, "0");

function entry(seq: number, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    seq,
    revision: rev(`a${seq}`),
    parent: seq > 1 ? rev(`a${seq - 1}`) : null,
    author: "person",
    reason: `Title of T${seq}`,
    at_ms: Date.now() - (10 - seq) * 120_000,
    summary: `T${seq} reworded`,
    moved_from: null,
    is_approved: false,
    ...more,
  };
}

const entries = [4, 3, 2, 1].map((seq) => entry(seq));
const now = rev("a4");

function compared(from: string, to: string): Comparison {
  return {
    from,
    to,
    tasks: [
      { id: "T4", kind: "added", title: "Print one JSON array", notes: [], parts: [] },
      {
        id: "T5",
        kind: "reworded",
        title: "Update the docs and clean up",
        notes: ["check removed"],
        parts: [
          {
            name: "title",
            words: [
              { kind: "same", text: "Update the docs" },
              { kind: "added", text: " and clean up" },
            ],
          },
          {
            name: "files",
            words: [
              { kind: "removed", text: "docs/old.md" },
              { kind: "added", text: "docs/new.md" },
            ],
          },
        ],
      },
    ],
    more_tasks: 0,
    unchanged: 5,
    around: [{ name: "goal", words: [{ kind: "added", text: "As JSON" }] }],
    lines: [{ kind: "added", old: null, new: 7, text: "- [ ] T4: Print one JSON array" }],
    is_cut: false,
  };
}

vi.setConfig({ testTimeout: 20_000 });

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => {
  stop();
  act(() => {
    toasts.set([]);
    conflict.set(null);
  });
});

async function show(more: Answers = {}) {
  const backend = await startBackend({
    outline: () => ({ ...outline, revision: now }),
    history: () => ({ entries, next: null }),
    compare: ({ from, to }) => compared(String(from), String(to)),
    ...more,
  });
  render(<HistoryTab />, backend);
  const list = await screen.findByRole("listbox", { name: "Revisions, newest first" });
  return { backend, list, user: userEvent.setup() };
}

const lastCompared = (backend: Awaited<ReturnType<typeof show>>["backend"]) => {
  const { from, to } = backend.callsOf("compare").at(-1) ?? {};
  return [from, to];
};

test("an entry is compared with the previous revision, unless another is marked", () => {
  const at3 = select(atNewest, 3);
  const usual = comparedOf(at3, entries, now);
  expect([usual.from?.revision, usual.to?.revision]).toEqual([rev("a2"), rev("a3")]);
  const marked = select(toggleMark(at3, 3), 1);
  const both = comparedOf(marked, entries, now);
  expect([both.from?.side, both.to?.side]).toEqual([1, 3]);
  const further = comparedOf(select(marked, 4), entries, now);
  expect([further.from?.side, further.to?.side]).toEqual([3, 4]);
  expect(comparedOf(markOther(at3, 3, 4), entries, now).to?.side).toBe(4);
  expect(toggleMark(toggleMark(at3, 3), 3).marked).toBeNull();
});

test("an entry can be compared with the current text or in reverse; the first has no previous one", () => {
  const since = comparedOf(withNow(2), entries, now);
  expect([since.from?.revision, since.to?.revision]).toEqual([rev("a2"), now]);
  const back = comparedOf(pick(atNewest, 4, 4, 2), entries, now);
  expect([back.from?.side, back.to?.side]).toEqual([4, 2]);
  expect(comparedOf(select(atNewest, 1), entries, now).from).toBeNull();
});

test("a restored parent refers to its newest earlier entry; one that isn't loaded keeps its revision", () => {
  const restored = [
    entry(3, { parent: rev("x") }),
    entry(2, { revision: rev("x") }),
    entry(1, { revision: rev("x"), parent: rev("older") }),
  ];
  expect(comparedOf(atNewest, restored, now).from?.side).toBe(2);
  const first = comparedOf(select(atNewest, 1), restored, now).from;
  expect([first?.side, first?.revision]).toEqual([null, rev("older")]);
});

test("entries are labeled by reason or author, with their time", () => {
  expect(entryTitle(entry(2))).toBe("Title of T2");
  expect(entryTitle(entry(2, { author: "outside", reason: "found on disk" }))).toBe(
    "External edit",
  );
  expect(entryTitle(entry(2, { reason: "" }))).toBe("Your edit");
  expect(entryTitle(entry(2, { author: "app", reason: "" }))).toBe("Planwright");
  expect(entryLine(entry(2, { author: "outside", summary: "" }))).toBe(
    "another program · no steps changed",
  );
  expect(entryLine(entry(1, { summary: "" }))).toBe("you · first revision");
  const at = Date.UTC(2026, 5, 10, 12);
  expect([5_000, 130_000, 3 * 3_600_000, 30 * 3_600_000].map((ms) => ago(at - ms, at))).toEqual([
    "now",
    "2 min ago",
    "3 h ago",
    "yesterday",
  ]);
});

test("the newest entry shows its changes: steps with a word diff, text around them, and unchanged steps", async () => {
  const { backend, list } = await show();
  expect(within(list).getAllByRole("option")[0]?.getAttribute("aria-selected")).toBe("true");
  const cards = await screen.findByRole("list", { name: "Changed steps" });
  const [added, reworded] = within(cards).getAllByRole("listitem");
  expect(added?.textContent).toContain("added");
  expect(reworded?.textContent).toContain("check removed");
  expect(reworded?.querySelector("ins")?.textContent).toContain("and clean up");
  expect(reworded?.querySelector("del")?.textContent).toContain("docs/old.md");
  expect(screen.getByRole("list", { name: "Changes outside the steps" }).textContent).toContain(
    "Goal",
  );
  expect(screen.getByText("5 steps")).toBeDefined();
  expect(lastCompared(backend)).toEqual([rev("a3"), now]);
});

test("arrow keys, Home and End select entries; m marks one to compare; n compares with the current text", async () => {
  const { backend, list, user } = await show();
  await user.click(list);
  await user.keyboard("{ArrowDown}");
  await waitFor(() => expect(lastCompared(backend)).toEqual([rev("a2"), rev("a3")]));
  await user.keyboard("m{End}");
  await waitFor(() => expect(lastCompared(backend)).toEqual([rev("a1"), rev("a3")]));
  expect(list.textContent).toContain("marked");
  await user.keyboard("n");
  await waitFor(() => expect(lastCompared(backend)).toEqual([rev("a1"), now]));
  await user.keyboard("x");
  await waitFor(() => expect(lastCompared(backend)).toEqual([now, rev("a1")]));
  await user.keyboard("{Home}t");
  expect(await screen.findByRole("group", { name: "Changed lines" })).toBeDefined();
});

test("the list has the focus when opened by keyboard", async () => {
  const centre = document.createElement("main");
  centre.id = "centre";
  centre.tabIndex = -1;
  document.body.append(centre);
  centre.focus();
  const { list } = await show();
  expect(document.activeElement).toBe(list);
});

test("undoing an edit that conflicts with another one shows both sides", async () => {
  const { user } = await show({
    outline: () => ({ ...outline, revision: now, undo: "Title of T2" }),
    undo_edit: () => ({ outcome: "conflict", revision: now, mine: "as it was", theirs: "other" }),
  });
  await user.keyboard("{Control>}z{/Control}");
  const dialog = await screen.findByRole("dialog", { name: "Edit conflict" });
  expect(dialog.textContent).toContain("as it was");
});

test("Shift+click compares two entries, and the pickers show which", async () => {
  const { backend, list, user } = await show();
  const third = within(list).getAllByRole("option")[2] as HTMLElement;
  await user.keyboard("{Shift>}");
  await user.click(third);
  await user.keyboard("{/Shift}");
  await waitFor(() => expect(lastCompared(backend)).toEqual([rev("a2"), now]));
  const from = screen.getByRole<HTMLSelectElement>("combobox", { name: "Compare from" });
  expect(from.selectedOptions[0]?.textContent).toContain("Title of T2");
  await user.selectOptions(from, "1");
  await waitFor(() => expect(lastCompared(backend)).toEqual([rev("a1"), now]));
});

test("the first revision is compared with nothing", async () => {
  const { backend, list, user } = await show();
  await user.click(list);
  await user.keyboard("{End}");
  await waitFor(() => expect(lastCompared(backend)).toEqual(["", rev("a1")]));
  const from = screen.getByRole<HTMLSelectElement>("combobox", { name: "Compare from" });
  expect(from.selectedOptions[0]?.textContent).toBe("Nothing");
});

test("older revisions are loaded near the end of the list, and by their button", async () => {
  const { backend, list, user } = await show({
    history: ({ before }) =>
      before === null
        ? { entries: entries.slice(0, 2), next: 3 }
        : { entries: entries.slice(2), next: null },
  });
  expect(within(list).getAllByRole("option")).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Older revisions" }));
  await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(4));
  expect(backend.callsOf("history").map((asked) => asked.before)).toEqual([null, 3]);
  expect(screen.queryByRole("button", { name: "Older revisions" })).toBeNull();
});

test("a new revision is added at the top, and the selection stays", async () => {
  const { backend, list, user } = await show();
  await user.click(list);
  await user.keyboard("{ArrowDown}");
  const newer = entry(5, { author: "outside", reason: "found on disk" });
  backend.answers.history = () => ({ entries: [newer, ...entries], next: null });
  await act(() =>
    backend.send({ kind: "plan", plan: planPath, revision: newer.revision, author: "outside" }),
  );
  await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(5));
  expect(within(list).getByRole("option", { selected: true }).textContent).toContain("Title of T3");
});

test("restoring shows a preview, asks for confirmation, and can be undone", async () => {
  const { backend, list, user } = await show({
    restore: () => ({ outcome: "written", revision: rev("b"), task: null, merged: false }),
  });
  await user.click(list);
  await user.keyboard("{ArrowDown}{ArrowDown}{Shift>}r{/Shift}");
  const dialog = await screen.findByRole("dialog", { name: /Restore “Title of T2”/ });
  const sure = within(dialog).getByRole("button", { name: "Restore" });
  expect(document.activeElement).not.toBe(sure);
  await waitFor(() => expect(lastCompared(backend)).toEqual([now, rev("a2")]));
  expect(await within(dialog).findByText("Print one JSON array")).toBeDefined();
  await new Promise((done) => setTimeout(done, deafMs + 50));
  await user.click(sure);
  await waitFor(() =>
    expect(backend.callsOf("restore")).toEqual([
      { plan: planPath, seen: now, revision: rev("a2") },
    ]),
  );
  await waitFor(() => expect(toasts.get().at(-1)?.title).toContain("Restored “Title of T2”"));
  expect(toasts.get().at(-1)?.action?.label).toBe("Undo");
});

test("a plan that changed in the meantime isn't overwritten: the dialog says so and refreshes", async () => {
  const { user } = await show({
    restore: () => ({ outcome: "conflict", revision: rev("c"), mine: "a", theirs: "b" }),
  });
  await user.click(await screen.findByRole("button", { name: "Restore the previous revision…" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText("Print one JSON array");
  await new Promise((done) => setTimeout(done, deafMs + 50));
  await user.click(within(dialog).getByRole("button", { name: "Restore" }));
  expect((await within(dialog).findByRole("alert")).textContent).toContain("nothing was written");
});

test("a changed step links to its row", async () => {
  const { user } = await show();
  await user.click(await screen.findByRole("button", { name: "Show T5 in the outline" }));
  expect(getPlace()).toMatchObject({ view: "outline", task: "T5" });
});

test("the history's keys don't shadow the window's", async () => {
  const backend = await startBackend({
    start: () => ({
      ...start,
      place: {
        ...nowhere,
        workspace: workspacePath,
        plan: planPath,
        screen: "plan",
        view: "history",
      },
    }),
    window_info: () => ({ label: "main", rendering: "cpu" }),
    take_target: () => null,
    set_title: () => null,
    open_workspace: () => workspace,
    plans: () => ({ plans: [summary], left_out: [] }),
    inbox: () => [],
    comments: () => [],
    runs_of: () => [],
    report_fault: () => null,
    outline: () => ({ ...outline, revision: now, conflicts: 1, undo: "Edit", redo: "Edit" }),
    history: () => ({ entries, next: 1 }),
    compare: ({ from, to }) => compared(String(from), String(to)),
  });
  render(<App />, backend);
  // Each part of the window is loaded on first use.
  await screen.findByRole("listbox", { name: "Revisions, newest first" }, { timeout: 8000 });
  const found = availableActions();
  expect(found.filter((action) => action.id.startsWith("history."))).toHaveLength(9);
  const keys = found.map((action) => action.keys.toLowerCase());
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const strokes = keys.filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]);
  expect(keys.filter((key) => strokes.includes(key))).toEqual([]);
});

test("a plan without revisions says so", async () => {
  const backend = await startBackend({
    outline: () => outline,
    history: () => ({ entries: [], next: null }),
  });
  render(<HistoryTab />, backend);
  expect(await screen.findByText("No revisions yet")).toBeDefined();
});
