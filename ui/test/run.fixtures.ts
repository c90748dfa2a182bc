/** A run and its open questions, for tests of the Run panel, the Inbox and the approval. */
import type { ApprovalView, RunQuestion, RunStep, RunView, StepEffect } from "../src/api/bindings";
import { planPath, revision, workspacePath } from "./backend";

export const runId = "01RUN";

export function question(kind: string, more: Partial<RunQuestion> = {}): RunQuestion {
  return {
    run: runId,
    task: "T2",
    title: "Add a --json flag to the argument parser",
    kind,
    state: "waiting",
    message: `The ${kind} of T2.`,
    options: [],
    fingerprint: "fp-T2",
    permission: null,
    effects: [],
    ...more,
  };
}

export const permission = question("permission", {
  permission: {
    tool: "run_command",
    subject: "python3 -m pip install orjson==3.10.7 --target vendor",
    is_shell: false,
    facts: ["in the workspace", "not named in the plan"],
    diff: [],
    rules: [
      { kind: "exact", text: "python3 -m pip install orjson==3.10.7 --target vendor" },
      { kind: "prefix", text: "python3 -m pip" },
    ],
    danger: null,
  },
});

export const danger = question("destructive", {
  permission: {
    tool: "run_command",
    subject: "rm -r build",
    is_shell: false,
    facts: ["in the workspace", "sandbox: bubblewrap"],
    diff: [],
    rules: [{ kind: "exact", text: "rm -r build" }],
    danger: { what: "deletes files", subjects: ["build/ (12 files)"], is_past: false },
  },
});

export function runView(more: Partial<RunView> = {}): RunView {
  return {
    run: runId,
    plan: planPath,
    title: "Add a --json flag",
    workspace: workspacePath,
    revision,
    state: "running",
    is_live: true,
    is_elsewhere: false,
    can_resume:
      more.is_live === false &&
      !more.is_elsewhere &&
      !["done", "discarded"].includes(more.state ?? ""),
    message: "The run goes on.",
    policy: "each",
    upto: null,
    sandbox: "Sandbox: bubblewrap.",
    done: 1,
    total: 7,
    steps: [],
    questions: [],
    current: null,
    beside: [],
    parallel: 1,
    work_ms: 4100,
    states: [],
    next: null,
    started_at_ms: 0,
    effort: null,
    added: 0,
    ...more,
  };
}

export const step: RunStep = {
  run: runId,
  task: "T2",
  title: "Add a --json flag to the argument parser",
  state: "running",
  reason: null,
  attempts: 1,
  beside: [],
  started_at_ms: null,
  ended_at_ms: null,
  work_ms: 3200,
  actions: [],
  discoveries: [],
  notes: [],
  changes: [],
  output: "",
  output_is_cut: false,
  context: null,
  model: null,
  handed_to: null,
};

export const effect = (verb: StepEffect["verb"], subject: string): StepEffect => ({
  verb,
  subject,
  call: null,
  diff: [],
});

export function approvalView(more: Partial<ApprovalView> = {}): ApprovalView {
  return {
    plan: planPath,
    revision,
    steps: [
      {
        task: "T2",
        title: "Add a --json flag to the argument parser",
        by: "agent",
        effects: [
          effect("edits", "src/cli.py"),
          effect("runs", "python3 -m unittest tests.test_cli\u202e"),
        ],
        is_free: false,
      },
    ],
    step_count: 1,
    left_out: [],
    left_out_count: 0,
    reason_for: null,
    blocked: [],
    not_runnable: null,
    running: null,
    unsent_comments: 0,
    git: null,
    policy: "each",
    policies: ["each", "risky", "all"],
    sandbox: "Commands run in bubblewrap.",
    effort: {
      model: null,
      profile: [],
      strategy: "upfront",
      strategy_from: "settings",
      look_ahead: 1,
      context: "relevant",
      steps: 40,
      calls: 400,
      tokens: 2_000_000,
      seconds: 14_400,
      executors: [],
      hand_over: null,
    },
    ...more,
  };
}
