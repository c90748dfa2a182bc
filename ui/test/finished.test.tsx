/** A finished plan: the bar opens the receipt, the numbers agree, and the plan can be copied as Markdown. */
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outline, RunView } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import ApprovePart from "../src/features/approve/ApprovePart";
import { Bar } from "../src/features/bar/Bar";
import { verbs } from "../src/features/bar/verbs";
import { receiptOf } from "../src/features/receipt/open";
import RunPanel from "../src/features/run/RunPanel";
import RunPart from "../src/features/run/RunPart";
import SourcePart from "../src/features/source/SourcePart";
import { toasts } from "../src/lib/toast";
import {
  type Answers,
  outline,
  planPath,
  revision,
  start,
  startBackend,
  workspacePath,
} from "./backend";
import { runId, runView } from "./run.fixtures";

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
  toasts.set([]);
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

async function show(view: Partial<RunView>, now: Partial<Outline>, more: Answers = {}) {
  const run = runView({ state: "done", is_live: false, done: 8, total: 8, ...view });
  const backend = await startBackend({
    start: () => start,
    outline: () => ({ ...outline, run: runId, ...now }),
    run: () => run,
    run_step: () => null,
    runs_of: () => [run],
    row_runs: () => ({ revision, runs: [], rows: 0 }),
    ...more,
  });
  render(
    <>
      <RunPanel />
      <ApprovePart />
      <RunPart />
      <SourcePart />
      <Bar />
    </>,
    backend,
  );
  return { backend, user: userEvent.setup() };
}

const primary = () => document.querySelector("[data-split] button")?.textContent;

test("when all steps are done, the primary verb is Receipt", async () => {
  const { backend, user } = await show({}, { done: 8 });
  await waitFor(() => expect(primary()).toBe("Receipt"));
  expect(backend.callsOf("row_runs")[0]).toMatchObject({
    plan: planPath,
    filter: { folded: [], only: ["waiting"], words: "" },
  });
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(receiptOf.get()).toBe(runId));
  act(() => receiptOf.set(null));
});

test("a step added afterwards makes Approve the primary verb again", async () => {
  const { backend } = await show({}, { done: 8 });
  await waitFor(() => expect(primary()).toBe("Receipt"));
  backend.answers.row_runs = () => ({ revision: "r2", runs: [[8, 9]], rows: 1 });
  backend.answers.outline = () => ({ ...outline, run: runId, revision: "r2", done: 8, total: 9 });
  await backend.send({ kind: "plan", plan: planPath, revision: "r2", author: "person" });
  await waitFor(() => expect(primary()).toBe("Approve and run…"));
});

test("an unfinished run doesn't offer its receipt first", async () => {
  const { backend } = await show({ state: "stopped" }, { done: 8 });
  await waitFor(() => expect(primary()).toBe("Resume"));
  expect(backend.callsOf("row_runs")).toEqual([]);
});

test("the run and the bar count the same done steps and list skipped ones separately", async () => {
  await show(
    {
      done: 5,
      states: [
        { task: "T1", state: "done", evidence: null },
        { task: "T2", state: "skipped", evidence: null },
      ],
    },
    { done: 4 },
  );
  expect(await screen.findByText("4/8 steps, 1 skipped · Done")).toBeTruthy();
  expect(screen.getByText("4/8 steps")).toBeTruthy();
  expect(screen.getByRole("progressbar").getAttribute("aria-valuetext")).toBe(
    "4 of 8 steps done, 1 skipped",
  );
});

test("the plan is copied as Markdown, from the bar's menu and by key", async () => {
  const text = "# Add a --json flag\n";
  const { backend, user } = await show(
    {},
    {},
    { source: () => ({ revision, text, line_ending: "lf", is_writable: true, problem: null }) },
  );
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: /Copy as Markdown/ }));
  await waitFor(() => expect(toasts.get().map((one) => one.title)).toContain("Plan copied"));
  expect(await navigator.clipboard.readText()).toBe(text);
  expect(backend.callsOf("source")).toEqual([{ plan: planPath, revision }]);
  expect(verbs.get().find((verb) => verb.id === "plan.copy")?.keys).toBe("y m");
  toasts.set([]);
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard("ym");
  await waitFor(() => expect(toasts.get().map((one) => one.title)).toContain("Plan copied"));
});

test("an unreadable plan isn't copied, and a toast says why", async () => {
  // The `ClipboardItem` of the test environment doesn't wait for promised data.
  vi.stubGlobal("ClipboardItem", undefined);
  const { user } = await show(
    {},
    {},
    {
      source: () => {
        throw { code: "failed", message: "The disk is gone." };
      },
    },
  );
  await screen.findByText(/revision 9b41c07ade12/);
  await user.keyboard("ym");
  await waitFor(() =>
    expect(toasts.get().at(-1)).toMatchObject({ tone: "bad", message: "The disk is gone." }),
  );
});
