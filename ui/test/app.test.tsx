/** The window: restores its place, reports errors, and asks before closing. */
import { emit } from "@tauri-apps/api/event";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fault } from "../src/api/fault";
import { App } from "../src/app/App";
import { availableActions, listenForKeys } from "../src/app/keys";
import { getPlace, setPlace } from "../src/app/place";
import { toasts } from "../src/lib/toast";
import {
  type Answers,
  outline,
  planPath,
  refusal,
  start,
  startBackend,
  summary,
  workspace,
  workspacePath,
} from "./backend";

const answers: Answers = {
  start: () => ({ ...start, place: { ...start.place, plan: planPath, screen: "plan" } }),
  window_info: () => ({ label: "main", rendering: "cpu" }),
  take_target: () => null,
  set_title: () => null,
  open_workspace: () => workspace,
  plans: () => ({ plans: [summary], left_out: [] }),
  inbox: () => [],
  outline: () => outline,
  rows: () => ({ revision: outline.revision, from: 0, rows: [] }),
  row_index: () => null,
  comments: () => [],
  runs_of: () => [],
  report_fault: () => null,
};
let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
});

afterEach(() => {
  stop();
  fault.set(null);
});

async function show(more: Answers = {}) {
  const backend = await startBackend({ ...answers, ...more });
  render(<App />, backend);
  await screen.findByRole("button", { name: /report-tool/ });
  return { backend, user: userEvent.setup() };
}

test("a window restores its plan, and the list marks it", async () => {
  await show();
  const row = await screen.findByRole("button", { name: /Add a --json flag/, current: "page" });
  expect(row).toBeTruthy();
  expect(document.title).toBe("Add a --json flag · report-tool · Planwright");
});

test("a list that omits plans says so below them", async () => {
  const sentence = "500 of 620 plans are listed. Search finds the others.";
  const { backend } = await show({ plans: () => ({ plans: [summary], left_out: [sentence] }) });
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByRole("button", { name: /Add a --json flag/ })).toBeTruthy();
  backend.answers.plans = () => ({ plans: [], left_out: [sentence] });
  await backend.send({ kind: "plans", workspace: workspacePath });
  expect(await screen.findByText("No plans yet")).toBeTruthy();
  expect(screen.getByText(sentence)).toBeTruthy();
});

test("the palette finds an action by its title and runs it on Enter", async () => {
  const { user, backend } = await show({ templates: () => [] });
  await user.keyboard("{Control>}k{/Control}");
  await user.type(
    await screen.findByRole("combobox", { name: /Search actions/ }),
    "templates{Enter}",
  );
  expect(await screen.findByRole("heading", { name: "Templates" })).toBeTruthy();
  await waitFor(() =>
    expect(backend.callsOf("save_place").at(-1)).toMatchObject({ place: { screen: "templates" } }),
  );
});

test("every action in the key sheet has a key", async () => {
  const { user } = await show();
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
  for (const row of document.querySelectorAll("dl > div")) {
    expect(row.querySelector("dt")?.textContent).not.toBe("");
    expect(row.querySelector("kbd")?.textContent).not.toBe("");
  }
});

test("no two actions share a key, and no key is the first stroke of another's chord", async () => {
  await show();
  await screen.findByText(/revision 9b41c07ade12/);
  const keys = availableActions().map((action) => action.keys.toLowerCase());
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const strokes = keys.filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]);
  expect(keys.filter((key) => strokes.includes(key))).toEqual([]);
});

test("a backend error leaves the list intact and says that drafts are saved", async () => {
  await show({
    outline: () => {
      throw refusal("internal", "Planwright made a mistake here.");
    },
  });
  expect(await screen.findByText(/comments and unanswered questions are kept/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy details" })).toBeTruthy();
  expect(await screen.findByRole("button", { name: /Add a --json flag/ })).toBeTruthy();
});

test("a database that can't be opened shows how to fix it", async () => {
  const backend = await startBackend({
    ...answers,
    start: () => {
      throw refusal("storage", "The database was written by a newer Planwright. Update this one.");
    },
  });
  render(<App />, backend);
  expect(await screen.findByText(/written by a newer Planwright/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

test("a plan deleted while open shows a notice and returns when its file does", async () => {
  const { backend } = await show();
  await screen.findByText(/revision 9b41c07ade12/);
  backend.answers.outline = () => {
    throw refusal("unusable_plan", "plans/add-json-flag.md is gone.");
  };
  await act(() =>
    backend.send({ kind: "plan", plan: planPath, revision: null, author: "outside" }),
  );
  expect(await screen.findByText("plans/add-json-flag.md is gone.")).toBeTruthy();
  backend.answers.outline = () => outline;
  await act(() => backend.send({ kind: "plan", plan: planPath, revision: "r", author: "outside" }));
  await waitFor(() => expect(screen.queryByText("plans/add-json-flag.md is gone.")).toBe(null));
});

test("a plan renamed while open stays open at the same step", async () => {
  const { backend } = await show();
  await screen.findByText(/revision 9b41c07ade12/);
  act(() => setPlace({ task: "T2", view: "outline" }));
  const to = `${workspacePath}/plans/renamed.md`;
  backend.answers.outline = ({ plan }) => {
    if (plan === to) return { ...outline, plan: to, path: "plans/renamed.md" };
    throw refusal("plan_gone", "plans/add-json-flag.md is gone.");
  };
  await act(() =>
    backend.send(
      { kind: "plan", plan: planPath, revision: null, author: "outside" },
      { kind: "moved", plan: planPath, to },
    ),
  );
  expect(await screen.findByText("plans/renamed.md")).toBeTruthy();
  expect(getPlace()).toMatchObject({ plan: to, task: "T2", screen: "plan" });
  expect(screen.queryByText("plans/add-json-flag.md is gone.")).toBe(null);
});

test("a window with an active run asks before closing; Escape keeps it open", async () => {
  const { backend, user } = await show({ answer_close: () => "open" });
  const asked = { window: "main", what: { kind: "close_asked", runs: ["r1"], has_tray: true } };
  await waitFor(async () => {
    await act(() => emit("shell-event", asked));
    expect(screen.queryByRole("dialog", { name: "A run is active" })).toBeTruthy();
  });
  expect(document.activeElement?.textContent).not.toBe("Continue in tray");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(backend.callsOf("answer_close")).toEqual([{ choice: "cancel" }]));
});

test("a path passed by a second launch is opened", async () => {
  const given = [{ kind: "path", path: "/home/me/site" }];
  const { backend } = await show({
    take_target: () => given.shift() ?? null,
    open_path: () => ({ workspace: { ...workspace, path: workspacePath }, plan: null }),
  });
  await waitFor(() => expect(backend.callsOf("open_path")).toEqual([{ path: "/home/me/site" }]));
  expect(await screen.findByText("What do you want to do?")).toBeTruthy();
});

test("a link shows its plan and step and has no other effect", async () => {
  const link = { kind: "link", workspace: workspacePath, plan: planPath, step: "T3" };
  const given: unknown[] = [null, link, { ...link, plan: null, step: null }];
  const { backend } = await show({
    start: () => ({ ...start, place: { ...start.place, workspace: "/home/me/other" } }),
    take_target: () => given.shift() ?? null,
  });
  const hand = () =>
    act(() => emit("shell-event", { window: "main", what: { kind: "target_given" } }));
  await waitFor(() => expect(given).toHaveLength(2));
  await hand();
  await waitFor(() =>
    expect(getPlace()).toMatchObject({
      workspace: workspacePath,
      plan: planPath,
      screen: "plan",
      view: "outline",
      task: "T3",
      editing: false,
    }),
  );
  await hand();
  await waitFor(() => expect(getPlace()).toMatchObject({ plan: null, screen: "first" }));
  const asked = new Set(backend.calls.map(({ command }) => command));
  for (const command of ["approve", "answer", "steer", "edit", "open_path"])
    expect(asked).not.toContain(command);
});

test("a link that can't be opened says why", async () => {
  toasts.set([]);
  await show({
    take_target: () => {
      throw refusal("usage", "The link has no path.");
    },
  });
  await waitFor(() =>
    expect(toasts.get()).toMatchObject([
      {
        tone: "bad",
        title: "Couldn’t open the link",
        message: "The link has no path.",
      },
    ]),
  );
});

test("the browser's context menu opens only in fields and over selected text", async () => {
  await show();
  const title = await screen.findByRole("button", { name: /Add a --json flag/ });
  const isLeft = (target: Element) => fireEvent.contextMenu(target);
  expect(isLeft(title)).toBe(false);
  const field = document.createElement("textarea");
  document.body.append(field);
  expect(isLeft(field)).toBe(true);
  const text = document.createElement("p");
  text.textContent = "What a person may copy";
  document.body.append(text);
  expect(isLeft(text)).toBe(false);
  document.getSelection()?.selectAllChildren(document.body);
  expect(isLeft(text)).toBe(true);
  document.getSelection()?.removeAllRanges();
});
