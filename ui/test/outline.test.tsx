/** The outline: typed text is never overwritten, a pause saves once, conflicts show both sides, rows move by keyboard, and of 10,000 rows only those in view are rendered. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { restorePlace } from "../src/app/place";
import FindingsTab from "../src/features/findings/Findings";
import OutlineTab from "../src/features/outline/Outline";
import { pauseMs } from "../src/features/task/useField";
import { toasts } from "../src/lib/toast";
import { startBackend } from "./backend";
import { type PlanBackend, planBackend, task } from "./planBackend";

/** happy-dom has no layout, so rows are given the height that the list needs. */
const rowHeight = 58;
const viewHeight = 600;
let stopKeys = () => {};

// The open row loads its controls on first use.
vi.setConfig({ testTimeout: 20_000 });

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(viewHeight);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(rowHeight);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  stopKeys = listenForKeys();
});

afterEach(() => {
  stopKeys();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(plan: PlanBackend = planBackend(), beside = <span />) {
  const backend = await startBackend(plan.answers);
  plan.tell = (...events) => void backend.send(...events);
  restorePlace(plan.place, () => undefined);
  const view = render(
    <>
      <OutlineTab />
      {beside}
    </>,
    { wrapper: backend.wrapper },
  );
  await screen.findByRole("treegrid");
  return { plan, backend, view };
}

const rowOf = (id: string) =>
  waitFor(() => {
    const found = document.querySelector<HTMLElement>(`[data-task="${id}"]`);
    if (!found) throw new Error(`no row ${id}`);
    return found;
  });

/** Opens T2 and returns its title field. */
async function openTitle(more: Partial<PlanBackend> = {}) {
  const plan = Object.assign(planBackend(), more);
  Object.assign(plan.place, { task: "T2", editing: true });
  const opened = await open(plan);
  const title = await screen.findByRole<HTMLInputElement>(
    "textbox",
    { name: "Title" },
    { timeout: 8000 },
  );
  return { ...opened, title };
}

const type = (field: HTMLElement, value: string) =>
  act(() => {
    fireEvent.change(field, { target: { value } });
  });

test("rows show a step's title, findings, options and who does it", async () => {
  await open();
  const row = await rowOf("T5");
  expect(row.textContent).toContain("Update the docs and clean up");
  expect(within(row).getByText(/clean up” does not say/)).toBeDefined();
  expect((await rowOf("D1")).textContent).toContain("One object per line → T3");
  expect(within(await rowOf("T6")).getByText("yours")).toBeDefined();
});

test("a field being edited isn't overwritten by an external change, while other rows update at once", async () => {
  const { plan, title } = await openTitle();
  type(title, "Mine");
  act(() =>
    plan.outside((state) => {
      for (const one of state.tasks) if (one.id === "T1") one.title = "Theirs above";
    }),
  );
  await waitFor(async () => expect((await rowOf("T1")).textContent).toContain("Theirs above"));
  expect(title.value).toBe("Mine");
  expect(screen.queryByText(/changed on disk while you were editing/)).toBeNull();
});

test("when the edited field changes on disk, both texts are shown and the user chooses", async () => {
  const { plan, backend, title } = await openTitle();
  type(title, "Mine");
  act(() =>
    plan.outside((state) => {
      for (const one of state.tasks) if (one.id === "T2") one.title = "Theirs";
    }),
  );
  const clash = await screen.findByRole("alert");
  expect(clash.textContent).toContain("Mine");
  expect(clash.textContent).toContain("Theirs");
  expect(title.value).toBe("Mine");
  await userEvent.click(within(clash).getByRole("button", { name: "Keep mine" }));
  const edit = { edit: "title", task: "T2", text: "Mine" };
  await waitFor(() => expect(plan.edits).toEqual([edit]));
  expect(screen.queryByRole("alert")).toBeNull();
  await waitFor(() =>
    expect(backend.callsOf("settle_conflicts")).toEqual([
      { plan: plan.place.plan, choice: "mine", decided: { of: "field", edit } },
    ]),
  );
});

test("a conflict reported by the backend shows both sides and loses nothing", async () => {
  const { plan, backend, title } = await openTitle();
  plan.nextOutcome = {
    outcome: "conflict",
    revision: plan.revision(),
    mine: "Mine",
    theirs: "What stands there",
  };
  type(title, "Mine");
  fireEvent.keyDown(title, { key: "Enter" });
  const clash = await screen.findByRole("alert");
  expect(clash.textContent).toContain("What stands there");
  expect(title.value).toBe("Mine");
  await waitFor(() => expect(plan.drafts.map((draft) => draft.text)).toEqual(["Mine"]));
  await userEvent.click(within(clash).getByRole("button", { name: "Keep theirs" }));
  await waitFor(() => expect(plan.drafts).toEqual([]));
  // The choice also resolves stored conflicts about this field.
  expect(backend.callsOf("settle_conflicts")).toEqual([
    {
      plan: plan.place.plan,
      choice: "theirs",
      decided: { of: "field", edit: { edit: "title", task: "T2", text: "What stands there" } },
    },
  ]);
});

test("a pause saves once, and Enter saves at once", async () => {
  const { plan, title } = await openTitle();
  vi.useFakeTimers();
  type(title, "O");
  type(title, "On");
  type(title, "Once");
  await act(() => vi.advanceTimersByTimeAsync(pauseMs - 50));
  expect(plan.edits).toHaveLength(0);
  await act(() => vi.advanceTimersByTimeAsync(100));
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(plan.edits).toEqual([{ edit: "title", task: "T2", text: "Once" }]);
  expect(plan.drafts).toEqual([]);
  type(title, "Twice");
  fireEvent.keyDown(title, { key: "Enter" });
  await act(() => vi.advanceTimersByTimeAsync(3000));
  expect(plan.edits).toHaveLength(2);
  expect(title.value).toBe("Twice");
});

test("leaving a field saves it; an unchanged one saves nothing", async () => {
  const { plan, title } = await openTitle();
  fireEvent.blur(title);
  type(title, "Left");
  fireEvent.blur(title);
  await waitFor(() => expect(plan.edits).toEqual([{ edit: "title", task: "T2", text: "Left" }]));
});

test("Escape discards the edit, a second Escape closes the row", async () => {
  const { plan, title } = await openTitle();
  const before = title.value;
  type(title, "Not this");
  fireEvent.keyDown(title, { key: "Escape" });
  await waitFor(() => expect(title.value).toBe(before));
  expect(plan.drafts).toEqual([]);
  fireEvent.keyDown(title, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Title" })).toBeNull());
  expect(plan.edits).toEqual([]);
});

test("an error is shown at the field, and the text stays", async () => {
  const { plan, title } = await openTitle();
  plan.nextError = { code: "usage", message: "A title needs words." };
  type(title, " ");
  fireEvent.keyDown(title, { key: "Enter" });
  expect((await screen.findByRole("alert")).textContent).toContain("A title needs words.");
  expect(title.value).toBe(" ");
});

test("after a restart the row is open and the draft is in its field, not in the plan", async () => {
  const draft = { key: "task/T2/title", text: "Half a ti", revision: null, at_ms: 1 };
  const { plan, title } = await openTitle({ drafts: [draft] });
  await waitFor(() => expect(title.value).toBe("Half a ti"));
  expect(screen.getByText(/Unsaved draft/)).toBeDefined();
  expect(plan.edits).toEqual([]);
});

test("a row can be dragged by keyboard", async () => {
  const plan = planBackend();
  plan.place.task = "T1";
  await open(plan);
  const handle = within(await rowOf("T1")).getByRole("button", { name: "Move T1" });
  handle.focus();
  fireEvent.keyDown(handle, { code: "Space", key: " " });
  // The keyboard sensor starts listening in the next task of the event loop.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  fireEvent.keyDown(document, { code: "ArrowDown", key: "ArrowDown" });
  await screen.findByText("T1: after T2, level 1");
  fireEvent.keyDown(document, { code: "Space", key: " " });
  await waitFor(() =>
    expect(plan.edits).toEqual([
      { edit: "move_task", task: "T1", place: { at: "after", task: "T2" } },
    ]),
  );
});

test("keys select, move and add steps", async () => {
  const plan = planBackend();
  plan.place.task = "T1";
  await open(plan);
  await rowOf("T1");
  await userEvent.keyboard("j");
  await waitFor(() => expect(document.activeElement?.getAttribute("data-task")).toBe("T2"));
  await userEvent.keyboard("{Alt>}{ArrowUp}{/Alt}");
  await waitFor(() => expect(plan.state.tasks[0]?.id).toBe("T2"));
  await userEvent.keyboard("a");
  const box = await screen.findByRole("textbox", { name: "Title of the new step after T2" });
  fireEvent.change(box, { target: { value: "A further one" } });
  fireEvent.keyDown(box, { key: "Enter" });
  await waitFor(() => expect(plan.state.tasks[1]?.title).toBe("A further one"));
});

test("dependents of a step are shown before it is deleted", async () => {
  const plan = planBackend();
  plan.place.task = "T2";
  await open(plan);
  (await rowOf("T2")).focus();
  await userEvent.keyboard("{Delete}");
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText("Which JSON layout?");
  expect(plan.edits).toEqual([]);
  // The button ignores clicks at first.
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)));
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete T2" }));
  await waitFor(() => expect(plan.edits).toEqual([{ edit: "delete_task", task: "T2" }]));
});

test("a small fix is applied in one click with Undo, and the findings update", async () => {
  const { plan } = await open(planBackend(), <FindingsTab />);
  const panel = await screen.findByRole("region", { name: "Findings" });
  expect(within(panel).getByText("Fair · 78")).toBeDefined();
  expect(within(panel).getByText("What should be cleaned up?")).toBeDefined();
  await userEvent.click(within(panel).getByRole("button", { name: "Fix: Name docs/usage.md" }));
  await waitFor(() =>
    expect(within(panel).queryByRole("button", { name: "Fix: Name docs/usage.md" })).toBeNull(),
  );
  expect(plan.state.tasks.flatMap((one) => one.findings)).toHaveLength(1);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(toasts.get().at(-1)).toMatchObject({
    title: "Applied: Name docs/usage.md",
    action: { label: "Undo" },
  });
  // The finding is gone, and the next one has the focus.
  await waitFor(() => expect(document.activeElement?.hasAttribute("data-main")).toBe(true));
});

test("a row's fix is applied in one click, and Preview shows it first", async () => {
  const plan = planBackend();
  plan.place.task = "T5";
  await open(plan);
  const row = await rowOf("T5");
  await userEvent.click(within(row).getByRole("button", { name: "Preview: Name docs/usage.md" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/files: `docs\/usage.md`/);
  expect(plan.state.tasks.flatMap((one) => one.findings)).toHaveLength(2);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(within(row).getByRole("button", { name: "Fix: Name docs/usage.md" }));
  await waitFor(() => expect(plan.state.tasks.flatMap((one) => one.findings)).toHaveLength(1));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("of 10,000 rows only those in view are rendered, and only their pages are fetched", async () => {
  const plan = planBackend();
  plan.state.tasks = Array.from({ length: 10_000 }, (_, at) =>
    task(`T${at + 1}`, `Step ${at + 1}`),
  );
  const { backend } = await open(plan);
  await rowOf("T1");
  expect(screen.getByRole("treegrid").getAttribute("aria-rowcount")).toBe("10000");
  expect(screen.getAllByRole("row").length).toBeLessThan(60);
  expect(new Set(backend.callsOf("rows").map((call) => call.from))).toEqual(new Set([0]));
});

test("plan text is never rendered as HTML", async () => {
  const plan = planBackend();
  for (const one of plan.state.tasks) one.title = "<img src=x onerror=alert(1)>";
  await open(plan);
  await rowOf("T1");
  expect(document.querySelector("img")).toBeNull();
});

test("an applied template is shown with its values, and can be removed", async () => {
  const plan = planBackend();
  const made = plan.revision();
  plan.answers.plan_origin = () => ({
    revision: made,
    template: {
      name: "add-feature",
      reason: "template add-feature: the goal asks for a new feature",
      took: [["about", "the --json flag"]],
    },
  });
  const asked: unknown[] = [];
  plan.answers.plan_anew = (args) => {
    asked.push(args);
    plan.outside((state) => {
      state.title = "Made anew";
    });
    return { outcome: "written", revision: plan.revision(), task: null, merged: false };
  };
  await open(plan);
  const refuse = await screen.findByRole("button", { name: "Rewrite without the template" });
  expect(refuse.parentElement?.textContent).toContain("about the --json flag");
  await userEvent.click(refuse);
  await waitFor(() =>
    expect(asked).toMatchObject([{ request: { plan: plan.place.plan, seen: made, by: "steps" } }]),
  );
  // The rewritten plan is a new revision without a template.
  await screen.findByRole("heading", { name: "Made anew" });
  await waitFor(() =>
    expect(screen.queryByRole("button", { name: "Rewrite without the template" })).toBeNull(),
  );
});
