/** A step that a model carries out: streamed text, report, repairs, and recovery options. */
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunQuestion, RunStep, RunView, StepModel } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { Bar } from "../src/features/bar/Bar";
import { deafMs } from "../src/features/run/cards/useCardAnswer";
import { openRecovery } from "../src/features/run/openRecovery";
import RunPanel from "../src/features/run/RunPanel";
import RunPart from "../src/features/run/RunPart";
import { outline, planPath, startBackend, workspacePath } from "./backend";
import { question, runId, runView, step } from "./run.fixtures";

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", task: "T2" },
    () => {},
  );
  openRecovery.set(null);
});

afterEach(() => stop());

const all = [
  "retry_same",
  "retry_simplified",
  "try_alternative",
  "decompose_further",
  "skip_and_continue",
  "ask_user",
  "abort",
];

function model(more: Partial<StepModel> = {}): StepModel {
  return {
    turns: 3,
    tokens_in: 2400,
    tokens_cached: 1200,
    tokens_out: 90,
    elapsed_ms: 4200,
    report: null,
    recoveries: [],
    now: null,
    ways: all.map((strategy) => ({
      strategy,
      closed: strategy === "decompose_further" ? "T2 can't be split any further" : null,
    })),
    ...more,
  };
}

const current = {
  task: "T2",
  step: 2,
  steps: 7,
  is_open_ended: false,
  phase: "processing",
  tools_used: [],
  discoveries: [],
  current_action: "Asking the model",
  elapsed_ms: 3200,
  quiet_ms: 0,
};

async function show(view: RunView, shown: RunStep) {
  const now = { step: shown };
  const backend = await startBackend({
    outline: () => ({ ...outline, run: view.run }),
    run: () => view,
    run_step: () => now.step,
    runs_of: () => [view],
    comments: () => [],
    steer: () => null,
    answer: () => null,
  });
  render(
    <>
      <aside id="panel">
        <RunPanel />
      </aside>
      <RunPart />
      <Bar />
    </>,
    backend,
  );
  return { backend, now, user: userEvent.setup() };
}

const heard = () => new Promise((done) => setTimeout(done, deafMs + 60));

test("the model's text and thinking are streamed, and the header shows the usage", async () => {
  const first = model({ now: { number: 4, attempt: 1, thinking: "Which file?", text: "" } });
  const { backend, now } = await show(runView({ current }), { ...step, model: first });
  expect(await screen.findByText("Request 4")).toBeTruthy();
  expect(screen.getByText("Which file?")).toBeTruthy();
  expect(screen.getByText(/2,490 tokens/)).toBeTruthy();
  now.step = {
    ...step,
    model: { ...first, now: { ...first.now, number: 4, attempt: 1, thinking: "", text: "I read" } },
  };
  await act(() => backend.send({ kind: "output", run: runId, task: "T2" }));
  expect(await screen.findByText("I read")).toBeTruthy();
});

test("an inferred report is labeled as such", async () => {
  const report = {
    summary: "edit_file src/cli.py",
    done: true,
    learned: ["Flags are declared in build_parser()"],
    decided: [],
    next_hint: null,
    is_inferred: true,
  };
  await show(runView({ current }), { ...step, model: model({ report }) });
  expect(await screen.findByText("inferred")).toBeTruthy();
  expect(screen.getByText("edit_file src/cli.py")).toBeTruthy();
  expect(screen.getByText("Flags are declared in build_parser()")).toBeTruthy();
});

test("repairs and rejected replies are listed with the actions, and aren't failures", async () => {
  const action = {
    kind: "repaired",
    tool: "",
    title: "A reply was repaired",
    summary: "an extra comma was dropped",
    ok: true,
    exit_code: null,
    output: "",
    elapsed_ms: 0,
    recovered: false,
    flaky: false,
  };
  const rejected = {
    ...action,
    kind: "rejected",
    title: "Not done yet",
    summary: "The check does not pass: exit 1",
    ok: false,
    output: "AssertionError",
  };
  await show(runView({ current }), { ...step, model: model(), actions: [action, rejected] });
  expect(await screen.findByText("an extra comma was dropped")).toBeTruthy();
  expect(screen.getByText("Not done yet")).toBeTruthy();
  expect(screen.queryByText("failed")).toBeNull();
});

test("a recovery option with instructions can be chosen by keyboard while the model is running", async () => {
  const { backend, user } = await show(runView({ current }), { ...step, model: model() });
  await screen.findByRole("button", { name: "Change approach for T2…" });
  await user.keyboard("rx");
  const words = await screen.findByRole("textbox", { name: "Instructions" });
  await heard();
  await user.type(words, "Use argparse");
  await user.click(screen.getByRole("button", { name: /^Split the step/ }));
  expect(backend.callsOf("steer")).toEqual([]);
  await user.tab();
  screen.getByRole("button", { name: /^Try another approach ·/ }).focus();
  await user.keyboard("{Enter}");
  expect(backend.callsOf("steer")[0]).toMatchObject({
    run: runId,
    steering: {
      action: "recover",
      task: "T2",
      strategy: "try_alternative",
      words: "Use argparse",
    },
  });
});

test("a failed step's card lists the recovery options; skipping requires a reason", async () => {
  const failure: RunQuestion = question("failure");
  const failed = { ...step, state: "failed", model: model() };
  const view = runView({ state: "failed", is_live: false, questions: [failure] });
  const { backend, user } = await show(view, failed);
  expect(await screen.findByRole("region", { name: "T2 failed" })).toBeTruthy();
  const leave = await screen.findByRole("button", {
    name: /^Skip the step · enter a reason above/,
  });
  await heard();
  await user.click(leave);
  expect(backend.callsOf("steer")).toEqual([]);
  await user.type(screen.getByRole("textbox", { name: "Instructions" }), "not needed");
  await user.click(screen.getByRole("button", { name: /^Skip the step/ }));
  expect(backend.callsOf("steer")[0]).toMatchObject({
    steering: { strategy: "skip_and_continue", words: "not needed" },
  });
});

test("a refused step isn't labeled as failed", async () => {
  const refused = question("failure", { state: "refused" });
  const view = runView({ state: "failed", is_live: false, questions: [refused] });
  await show(view, { ...step, state: "refused" });
  expect(await screen.findByRole("region", { name: "T2 was refused" })).toBeTruthy();
  expect(screen.queryByText("T2 failed")).toBeNull();
});

test("a question from the model is answered with an option or free text", async () => {
  const asked = question("question", {
    message: "Which layout?",
    options: [{ label: "Rows", effect: "", is_review: false }],
  });
  const view = runView({ state: "waiting", questions: [asked] });
  const { backend, user } = await show(view, { ...step, model: model() });
  expect(await screen.findByRole("region", { name: "T2: the model has a question" })).toBeTruthy();
  await heard();
  await user.type(screen.getByRole("textbox", { name: "Or write your own answer" }), "As a table");
  await user.click(screen.getByRole("button", { name: "Send this answer" }));
  expect(backend.callsOf("answer")[0]?.request).toMatchObject({
    kind: "question",
    answer: { answer: "choice", label: "As a table", note: null },
  });
});
