/** The line for new steps: Enter opens the next line, typed text is never lost or run as a command, and a pasted list becomes steps. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { restorePlace } from "../src/app/place";
import OutlineTab from "../src/features/outline/Outline";
import {
  editWithIds,
  editWithoutIds,
  numberIn,
  readList,
} from "../src/features/outline/pastedSteps";
import { toasts } from "../src/lib/toast";
import { startBackend } from "./backend";
import { type PlanBackend, planBackend, task } from "./planBackend";

let stopKeys = () => {};

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(1200);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(58);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  stopKeys = listenForKeys();
  toasts.set([]);
});

afterEach(() => {
  stopKeys();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(plan: PlanBackend = planBackend()) {
  const backend = await startBackend(plan.answers);
  plan.tell = (...events) => void backend.send(...events);
  restorePlace(plan.place, () => undefined);
  render(<OutlineTab />, { wrapper: backend.wrapper });
  await screen.findByRole("treegrid");
  return { plan, backend, user: userEvent.setup() };
}

/** Opens the new-step line after T2. */
async function openLine(plan: PlanBackend = planBackend()) {
  plan.place.task = "T2";
  const opened = await open(plan);
  await waitFor(() => expect(document.querySelector('[data-task="T2"]')).toBeTruthy());
  act(() => document.querySelector<HTMLElement>('[data-task="T2"]')?.focus());
  await opened.user.keyboard("a");
  await line("after T2");
  return opened;
}

const line = (where: string) =>
  screen.findByRole<HTMLInputElement>("textbox", { name: `Title of the new step ${where}` });
const titles = (plan: PlanBackend) => plan.state.tasks.map((one) => one.title);
const paste = (field: HTMLElement, text: string) =>
  act(async () => {
    const clipboardData = { getData: () => text };
    fireEvent.paste(field, { clipboardData });
  });

test("Enter adds the step and opens a line below it; Enter on an empty line closes it", async () => {
  const { plan, user } = await openLine();
  await user.keyboard("First one{Enter}");
  const next = await line("after T9");
  await waitFor(() => expect(document.activeElement).toBe(next));
  await user.keyboard("Second one{Enter}");
  await waitFor(async () => expect(document.activeElement).toBe(await line("after T10")));
  expect(titles(plan).slice(1, 5)).toEqual([
    "Add a --json flag to the argument parser",
    "First one",
    "Second one",
    "Which JSON layout?",
  ]);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("textbox", { name: /new step/ })).toBeNull());
  await waitFor(() => expect(document.activeElement?.getAttribute("data-task")).toBe("T10"));
});

test("text typed while a step is being saved stays in the line and is added after that step", async () => {
  const { plan, backend, user } = await openLine();
  const edit = backend.answers.edit as (args: Record<string, unknown>) => unknown;
  const held: (() => void)[] = [];
  backend.answers.edit = (args) => new Promise((resolve) => held.push(() => resolve(edit(args))));
  await user.keyboard("First{Enter}Second{Enter}{Enter}");
  // The last Enter closes the empty line; both steps are still added, in order.
  await waitFor(() => expect(held).toHaveLength(1));
  await act(async () => held.shift()?.());
  await waitFor(() => expect(held).toHaveLength(1));
  await act(async () => held.shift()?.());
  await waitFor(() => expect(titles(plan).slice(2, 4)).toEqual(["First", "Second"]));
  expect(plan.edits.map((one) => "place" in one && one.place)).toEqual([
    { at: "after", task: "T2" },
    { at: "after", task: "T9" },
  ]);
});

test("text typed while the line moves is carried over and triggers no shortcuts", async () => {
  const { plan, backend, user } = await openLine();
  const edit = backend.answers.edit as (args: Record<string, unknown>) => unknown;
  let release = () => {};
  backend.answers.edit = (args) =>
    new Promise((resolve) => {
      release = () => resolve(edit(args));
    });
  await user.keyboard("First{Enter}je");
  await act(async () => release());
  const next = await line("after T9");
  await waitFor(() => expect(document.activeElement).toBe(next));
  await user.keyboard("d");
  expect(next.value).toBe("jed");
  expect(plan.state.tasks.every((one) => !one.done)).toBe(true);
  expect(plan.drafts.map((draft) => draft.key)).not.toContain("add/after/T2");
});

test("a title that failed to save is restored before the text typed since", async () => {
  const { plan, user } = await openLine();
  plan.nextError = { code: "failed", message: "The disk is full." };
  await user.keyboard("First{Enter}");
  const field = await line("after T2");
  expect(await screen.findByText("The disk is full.")).toBeTruthy();
  expect(field.value).toBe("First");
  await user.keyboard("{Enter}");
  await line("after T9");
  expect(titles(plan)[2]).toBe("First");
});

test("two quick Enters add one step", async () => {
  const { plan } = await openLine();
  const field = await line("after T2");
  fireEvent.change(field, { target: { value: "Only once" } });
  act(() => {
    fireEvent.keyDown(field, { key: "Enter" });
    fireEvent.keyDown(field, { key: "Enter" });
  });
  await line("after T9");
  expect(titles(plan).filter((title) => title === "Only once")).toHaveLength(1);
});

test("at the end of the plan the line stays open; Add closes it and selects the step", async () => {
  const { plan, user } = await open();
  await user.click(await screen.findByRole("button", { name: "Add step" }));
  await user.keyboard("First{Enter}Second{Enter}");
  await waitFor(() => expect(titles(plan).slice(-2)).toEqual(["First", "Second"]));
  const field = await line("at the end");
  expect(document.activeElement).toBe(field);
  await user.keyboard("Third");
  await user.click(screen.getByRole("button", { name: "Add" }));
  await waitFor(() => expect(titles(plan).at(-1)).toBe("Third"));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: /new step/ })).toBeNull());
  await waitFor(() => expect(document.activeElement?.getAttribute("data-task")).toBe("T11"));
});

test("a pasted list becomes steps in one edit, keeps its levels, and can be undone", async () => {
  const { plan, user } = await openLine();
  const field = await line("after T2");
  await paste(
    field,
    "- [ ] **T1** Rename the module\n  - files: `a.py`\n  - [ ] Move the tests\n- [x] Note it",
  );
  await waitFor(() => expect(plan.edits).toHaveLength(1));
  const next = await line("after T11");
  await waitFor(() => expect(document.activeElement).toBe(next));
  expect(plan.state.tasks.slice(2, 5).map(({ id, title, depth }) => [id, title, depth])).toEqual([
    ["T9", "Rename the module", 0],
    ["T10", "Move the tests", 1],
    ["T11", "Note it", 0],
  ]);
  expect(toasts.get().at(-1)?.title).toBe("3 steps added, 1 other line ignored");
  act(() => toasts.get().at(-1)?.action?.run());
  await waitFor(() => expect(plan.state.tasks).toHaveLength(8));
  await user.keyboard("{Escape}");
});

test("a single pasted item becomes the title; other text is pasted unchanged", async () => {
  const { plan } = await openLine();
  const field = await line("after T2");
  await paste(field, "* [ ] Rename the module\n");
  await waitFor(() => expect(field.value).toBe("Rename the module"));
  const clipboardData = { getData: () => "no list\n- but an item" };
  expect(fireEvent.paste(field, { clipboardData })).toBe(true);
  expect(plan.edits).toEqual([]);
});

test("lists are parsed with any bullet, number or indent", () => {
  const read = (text: string) =>
    readList(text)?.steps.map(({ title, depth }) => `${depth} ${title}`);
  expect(read("1. a\n2) b\n   goes on\n\t* c\n\t\t+ d\n- e")).toEqual([
    "0 a",
    "0 b goes on",
    "1 c",
    "2 d",
    "0 e",
  ]);
  expect(read("    - a\n      - b\n    - c\r\n")).toEqual(["0 a", "1 b", "0 c"]);
  expect(read("Some words")).toBeUndefined();
  expect(read("- a\n\nSome words")).toBeUndefined();
  expect(readList("- [ ] a\n  - verify: `x`\n    goes on\n- [ ]  \n- [ ] b")?.leftOut).toBe(3);
});

test("inserted steps are referenced by their future ids; without ids, a flat list is inserted last to first", () => {
  const list = {
    steps: [
      { title: "a", depth: 0 },
      { title: "b", depth: 1 },
      { title: "c", depth: 0 },
      { title: "d", depth: 1 },
    ],
    leftOut: 0,
  };
  const { edit, last } = editWithIds(list, { at: "under", task: "T2" }, 7);
  expect(last).toBe("T9");
  expect(edit).toMatchObject({
    edit: "many",
    edits: [
      { title: "a", place: { at: "under", task: "T2" } },
      { title: "b", place: { at: "under", task: "T7" } },
      { title: "c", place: { at: "after", task: "T7" } },
      { title: "d", place: { at: "under", task: "T9" } },
    ],
  });
  const flat = {
    steps: [
      { title: "a", depth: 0 },
      { title: "b", depth: 0 },
    ],
    leftOut: 0,
  };
  expect(editWithoutIds(flat, { at: "after", task: "#1" })).toMatchObject({
    edits: [{ title: "b" }, { title: "a" }],
  });
  expect(editWithoutIds(flat, { at: "under", task: "#1" })).toMatchObject({
    edits: [{ title: "a" }, { title: "b" }],
  });
  const line = (text: string) => [{ kind: "added", old: null, new: 1, text }];
  expect(numberIn(line("- [ ] **T12** a"))).toBe(12);
  expect(numberIn(line("  * [ ] T3: a"))).toBe(3);
  expect(numberIn(line("- [ ] a"))).toBeNull();
});

test("in a plan without ids, a nested list is rejected with a hint", async () => {
  const plan = planBackend();
  const { backend } = await openLine(plan);
  backend.answers.preview_edit = () => ({
    revision: plan.revision(),
    diff: [{ kind: "added", old: null, new: 1, text: "- [ ] a" }],
    tasks: 9,
  });
  await paste(await line("after T2"), "- a\n  - b");
  expect(await screen.findByText(/Paste one level at a time/)).toBeTruthy();
  expect(plan.edits).toEqual([]);
});

test("rows with the same id stay separate: only one is selected and open", async () => {
  const plan = planBackend();
  plan.state.tasks.splice(2, 0, task("T1", "The same id again"));
  Object.assign(plan.place, { task: "T1" });
  await open(plan);
  await waitFor(() => expect(document.querySelectorAll('[data-task="T1"]')).toHaveLength(2));
  const rows = [...document.querySelectorAll<HTMLElement>('[role="row"]')];
  const tops = rows.map((row) => Number(row.style.transform.match(/-?[\d.]+/)?.[0]));
  expect(new Set(tops).size).toBe(rows.length);
  await waitFor(() => expect(screen.getAllByRole("row", { selected: true })).toHaveLength(1));
  fireEvent.click(rows[2] as HTMLElement);
  await waitFor(() => {
    const [chosen, ...others] = screen.getAllByRole("row", { selected: true });
    expect(others).toEqual([]);
    expect(within(chosen as HTMLElement).getByText("The same id again")).toBeTruthy();
  });
});
