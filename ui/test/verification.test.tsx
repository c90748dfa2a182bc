/** Unverified steps are never green: in the outline, in a run's steps, or with a flaky check. */
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { StepAction } from "../src/api/bindings";
import { lookOf, type Signed } from "../src/features/outline/StateIcon";
import { stepStateLabel } from "../src/features/run/labels";
import { StepView } from "../src/features/run/StepView";
import { startBackend } from "./backend";
import { step } from "./run.fixtures";

const ticked: Signed = { kind: "task", by: "agent", done: true, skipped: null };

const check: StepAction = {
  kind: "check",
  tool: "run_command",
  title: "python3 -m unittest",
  summary: "exit 0",
  ok: true,
  exit_code: 0,
  output: "",
  elapsed_ms: 10,
  recovered: false,
  flaky: false,
};

async function show(actions: StepAction[], notes: string[]) {
  const backend = await startBackend({});
  render(<StepView step={{ ...step, state: "done", actions, notes }} />, backend);
}

test("a checked-off step that wasn't verified isn't shown as done", () => {
  expect(lookOf(ticked, undefined).tone).toBe("good");
  const look = lookOf(ticked, "unverified");
  expect(look.tone).toBe("warn");
  expect(look.words).toBe("finished, unverified");
  expect(stepStateLabel("unverified")).toBe("unverified");
});

test("a refused step isn't shown as done either", () => {
  expect(lookOf({ ...ticked, done: false }, "refused").tone).toBe("bad");
});

test("a flaky check and a check edited by the step are labeled", async () => {
  await show(
    [{ ...check, flaky: true }],
    ["the check was edited in this step: tests/test_report.py"],
  );
  expect(screen.getByText(/flaky: failed, then passed/)).toBeTruthy();
  expect(screen.getByText(/the check was edited in this step/)).toBeTruthy();
});

test("a check that passed at once has no such label", async () => {
  await show([check], []);
  expect(screen.getByText("exit 0")).toBeTruthy();
  expect(screen.queryByText(/flaky/)).toBeNull();
});
