/** Approval: approves exactly the revision on screen, only with its own button, and only once. */
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { armedAfterMs } from "../src/components/ArmedButton";
import ApprovePart from "../src/features/approve/ApprovePart";
import { askApproval, closeApproval } from "../src/features/approve/open";
import { Bar } from "../src/features/bar/Bar";
import { closeExpansion, expansionOpen } from "../src/features/expansion/open";
import {
  type Answers,
  outline,
  planPath,
  refusal,
  revision,
  start,
  startBackend,
  workspacePath,
} from "./backend";
import { approvalView, effect, runId, runView } from "./run.fixtures";

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => {
  stop();
  act(closeApproval);
});

const thin = { ...outline, badge: { word: "thin", score: 42, findings: 3, critical: 0 } };

async function show(more: Answers = {}) {
  const backend = await startBackend({
    start: () => start,
    outline: () => outline,
    approval: () => approvalView(),
    approve: () => ({ revision, run: null }),
    comments: () => [],
    ...more,
  });
  render(
    <>
      <ApprovePart />
      <Bar />
    </>,
    backend,
  );
  const primary = await screen.findByRole("button", { name: "Approve and run…" });
  return { backend, primary, user: userEvent.setup() };
}

async function open(more: Answers = {}) {
  const shown = await show(more);
  await shown.user.click(shown.primary);
  await screen.findByText("src/cli.py");
  return { ...shown, confirm: () => screen.getByRole("button", { name: "Approve and run" }) };
}

function armed(): Promise<void> {
  return new Promise((done) => setTimeout(done, armedAfterMs + 60));
}

test("a double click in the bar opens the dialog and approves nothing", async () => {
  const { backend, primary, user } = await show();
  await user.dblClick(primary);
  const confirm = await screen.findByRole("button", { name: "Approve and run" });
  await screen.findByText("src/cli.py");
  await user.dblClick(confirm);
  expect(backend.callsOf("approve")).toEqual([]);
});

test("a double click on Approve sends one request for the displayed revision", async () => {
  const { backend, user, confirm } = await open();
  await armed();
  await user.dblClick(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({
    plan: planPath,
    revision,
    run: true,
    upto: null,
    policy: "each",
    parallel: 1,
    branch: null,
    notes: null,
  });
});

test("steps run in parallel only if the user chooses it", async () => {
  const { backend, user, confirm } = await open({
    approval: () => approvalView({ step_count: 2 }),
  });
  await armed();
  await user.click(screen.getByText("Run options"));
  await user.click(screen.getByRole("radio", { name: "2" }));
  expect(screen.getByText(/2 steps at once/)).toBeTruthy();
  await screen.findByText(/name different files/);
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({ parallel: 2 });
});

test("each step lists its effects, and steps that won't run say why", async () => {
  const left = { task: "T1", title: "Find the rows", reason: "already done" };
  const write = {
    ...effect("creates", "docs/json.md"),
    call: 'write_file {"path": "docs/json.md"}',
  };
  const [first] = approvalView().steps;
  const { user } = await open({
    approval: () =>
      approvalView({
        steps: first ? [{ ...first, effects: [...first.effects, write] }] : [],
        left_out: [left],
        left_out_count: 1,
      }),
  });
  expect(screen.getByText("1 STEP WILL RUN")).toBeTruthy();
  const verbs = screen.getAllByText(/^(edits|runs|creates)$/).map((verb) => verb.textContent);
  expect(verbs).toEqual(["edits", "runs", "creates"]);
  expect(screen.getByText('write_file {"path": "docs/json.md"}')).toBeTruthy();
  await user.click(screen.getByText("1 step won’t run"));
  expect(screen.getByText(/already done/)).toBeTruthy();
});

test("saving as approved doesn't announce a run", async () => {
  await show();
  act(() => askApproval("save"));
  expect(await screen.findByText("1 STEP TO APPROVE")).toBeTruthy();
  expect(screen.queryByText(/WILL RUN/)).toBeNull();
});

test("Enter approves only when the button has focus", async () => {
  const { backend, user, confirm } = await open();
  await armed();
  expect(document.activeElement).not.toBe(confirm());
  // Neither a key press elsewhere in the dialog nor the bar's shortcut approves.
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter" });
  await user.click(screen.getByRole("radio", { name: "Ask before each step" }));
  await user.keyboard("{Enter}{Control>}{Enter}{/Control}");
  expect(backend.callsOf("approve")).toEqual([]);
  confirm().focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
});

test("a plan whose file was deleted can't be approved from the dialog or the bar", async () => {
  let isGone = false;
  const { backend, user, confirm } = await open({
    outline: () => {
      if (isGone) throw refusal("plan_gone", "plans/p.md is not there any more");
      return outline;
    },
  });
  await armed();
  isGone = true;
  await backend.send({ kind: "plan", plan: planPath, revision: null, author: "outside" });
  expect(await screen.findByText("The plan file was deleted. Restore it first.")).toBeTruthy();
  await user.click(confirm());
  expect(confirm().getAttribute("aria-disabled")).toBe("true");
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  const primary = screen.getByRole("button", { name: "Approve and run…" });
  expect(primary.getAttribute("aria-disabled")).toBe("true");
  await user.click(primary);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(backend.callsOf("approve")).toEqual([]);
});

test("when the plan changes, the open dialog says so and approves nothing until it is reviewed", async () => {
  let now = revision;
  const { backend, user, confirm } = await open({
    outline: () => ({ ...outline, revision: now }),
    approval: (args) => approvalView({ revision: String(args.revision) }),
  });
  await armed();
  now = "ffff00001111".padEnd(64, "0");
  await backend.send({ kind: "plan", plan: planPath, revision: now, author: "outside" });
  await screen.findByText("The plan changed while this was open.");
  await user.click(confirm());
  expect(backend.callsOf("approve")).toEqual([]);
  expect(screen.getByTestId("seen-revision").textContent).toBe(revision.slice(0, 12));

  await user.click(screen.getByRole("button", { name: "Read the new revision" }));
  await waitFor(() => expect(screen.getByTestId("seen-revision").textContent).toBe("ffff00001111"));
  await screen.findByText("src/cli.py");
  // For the new revision there is a new confirm button, which ignores clicks at first.
  await user.click(confirm());
  expect(backend.callsOf("approve")).toEqual([]);
  await armed();
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({ revision: now });
});

test("an approval error is shown in the dialog, which stays open", async () => {
  const { user, confirm } = await open({
    approve: () => {
      throw refusal("not_covered", "T2 reads otherwise now.");
    },
  });
  await armed();
  await user.click(confirm());
  expect(await screen.findByText("T2 reads otherwise now.")).toBeTruthy();
  expect(screen.getByText(/Nothing was approved or run/)).toBeTruthy();
});

test("an insufficient plan under enforcement shows requirements and fixes and focuses the reason", async () => {
  const { backend, user, confirm } = await open({
    outline: () => thin,
    approval: () => approvalView({ reason_for: "The plan is too thin: 42 of 100." }),
    findings: () => ({
      revision,
      badge: thin.badge,
      summary: [],
      reason_codes: ["too_few_tasks", "missing_plan_verification"],
      findings: [],
      more: 0,
      dimensions: [],
      missing: null,
      reasons: [],
    }),
  });
  expect(await screen.findByText(/Thin · 42: approval requires a reason/)).toBeTruthy();
  expect(screen.getByText("The plan is too thin: 42 of 100.")).toBeTruthy();
  expect(await screen.findByText("missing_plan_verification")).toBeTruthy();
  const field = screen.getByRole("textbox", { name: /Reason for override/ });
  expect(document.activeElement).toBe(field);
  await armed();
  await user.click(confirm());
  expect(backend.callsOf("approve")).toEqual([]);
  await user.type(field, "Tried by hand");
  await user.click(confirm());
  await waitFor(() =>
    expect(backend.callsOf("approve")[0]?.request).toMatchObject({ reason: "Tried by hand" }),
  );
});

test("the approval of an insufficient plan links to its expansion and findings without approving", async () => {
  const thinly = {
    outline: () => thin,
    approval: () => approvalView({ reason_for: "The plan is too thin: 42 of 100." }),
  };
  const { backend, user, primary } = await open(thinly);
  await user.click(await screen.findByRole("button", { name: "Expand…" }));
  await waitFor(() => expect(expansionOpen.get()).toBe(true));
  expect(screen.queryByRole("dialog")).toBeNull();
  act(closeExpansion);
  await user.click(primary);
  await user.click(await screen.findByRole("button", { name: "Show findings" }));
  await waitFor(() => expect(getPlace().panel).toBe("findings"));
  expect(backend.callsOf("approve")).toEqual([]);
});

test("a blocked step requires a reason, which is sent with the approval", async () => {
  const { backend, user, confirm } = await open({
    approval: () => approvalView({ blocked: [{ task: "T5", messages: ["Vague."] }] }),
  });
  await armed();
  await user.click(confirm());
  expect(screen.getByText("Enter a reason.")).toBeTruthy();
  expect(backend.callsOf("approve")).toEqual([]);
  await user.type(screen.getByLabelText(/Reason for override/), "I will watch it");
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({ reason: "I will watch it" });
});

test("with unsent comments, approval requires choosing what to do with them", async () => {
  const { backend, user, confirm } = await open({
    approval: () => approvalView({ unsent_comments: 2 }),
  });
  expect(screen.getByText(/2 unsent comments/)).toBeTruthy();
  await armed();
  await user.click(confirm());
  expect(backend.callsOf("approve")).toEqual([]);
  expect(screen.getByText("Choose what to do with the unsent comments.")).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: /Approve without sending them/ }));
  await armed();
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
});

test("comments on a step are shown verbatim in its note", async () => {
  const comment = {
    id: 1,
    kind: "comment",
    task: "T2",
    task_title: "Add a --json flag",
    revision,
    quote: "a --json flag",
    anchor: "here",
    text: "off by default",
    at_ms: 0,
    is_sent: false,
    is_resolved: false,
  };
  await show({ comments: () => [comment, { ...comment, id: 2, text: "said", is_sent: true }] });
  act(() => askApproval("notes"));
  const note = await screen.findByLabelText(/T2 Add a --json flag/);
  expect((note as HTMLTextAreaElement).value).toBe("“a --json flag”: off by default");
});

test("uncommitted changes and hidden characters are shown before approval", async () => {
  await open({
    approval: () =>
      approvalView({
        git: {
          branch: "main",
          head: "3f2c1e9",
          dirty: ["notes.txt"],
          dirty_count: 1,
          offer: "plan/x",
        },
      }),
  });
  expect(screen.getByText("notes.txt")).toBeTruthy();
  expect(screen.getByTitle("U+202E").textContent).toBe("RLO");
});

test("an active run prevents starting another", async () => {
  const { backend, user, confirm } = await open({
    approval: () => approvalView({ running: "01RUN" }),
  });
  await armed();
  await user.click(confirm());
  expect(backend.callsOf("approve")).toEqual([]);
});

test("notes are approved as previewed, and their drafts are deleted", async () => {
  const { backend, user } = await show({
    preview_notes: () => ({
      revision: "abcd".padEnd(64, "0"),
      diff: [{ kind: "added", old: null, new: 9, text: "  - note: Be careful" }],
    }),
  });
  act(() => askApproval("notes"));
  await user.type(await screen.findByLabelText(/T2 Add a --json flag/), "Be careful");
  await user.click(screen.getByRole("button", { name: "Preview the plan" }));
  await screen.findByText("- note: Be careful");
  await armed();
  await user.click(screen.getByRole("button", { name: "Approve and run" }));
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({
    revision,
    notes: { notes: [{ task: "T2", text: "Be careful" }], revision: "abcd".padEnd(64, "0") },
  });
  const drafts = backend.callsOf("save_draft").filter((args) => args.key === "note/T2");
  expect(drafts.some((args) => args.text === "Be careful")).toBe(true);
  await waitFor(() =>
    expect(
      backend
        .callsOf("save_draft")
        .filter((args) => args.key === "note/T2")
        .at(-1)?.text,
    ).toBe(""),
  );
});

test("requesting changes lists the comments and runs nothing", async () => {
  const { backend, user } = await show({
    comments: () => [
      { id: 1, task: "T2", revision, text: "Off by default", at_ms: 0, is_sent: false },
    ],
    request_changes: () => null,
  });
  act(() => askApproval("changes"));
  expect(await screen.findByText("Off by default")).toBeTruthy();
  await user.type(screen.getByLabelText(/What should change/), "Split T3");
  await user.click(screen.getByRole("button", { name: "Request changes" }));
  await waitFor(() =>
    expect(backend.callsOf("request_changes")).toEqual([
      { plan: planPath, revision, text: "Split T3", reviser: "model" },
    ]),
  );
  expect(backend.callsOf("approve")).toEqual([]);
});

test("run options are sent with the approval only if changed", async () => {
  const effort = {
    ...approvalView().effort,
    model: "qwen2.5-coder:7b",
    profile: ["window 16,384", "short prompts"],
    strategy_from: "profile",
  };
  const { backend, user, confirm } = await open({ approval: () => approvalView({ effort }) });
  await user.click(screen.getByText("Run options"));
  expect(screen.getByText("Profile: window 16,384 · short prompts")).toBeTruthy();
  expect(screen.getByRole("radio", { name: /^Upfront, from the model’s profile/ })).toBeTruthy();
  await user.click(screen.getByRole("radio", { name: /^Iterative/ }));
  await user.type(screen.getByRole("textbox", { name: "Request limit" }), "25");
  await user.type(screen.getByRole("textbox", { name: "Time limit (min)" }), "5");
  expect(screen.getByText(/Iterative · 1 step ahead · at most 25 requests/)).toBeTruthy();
  await armed();
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({
    effort: {
      model: null,
      strategy: "iterative",
      look_ahead: null,
      steps: null,
      calls: 25,
      tokens: null,
      seconds: 300,
    },
  });
});

test("steps without calls go only to the chosen command", async () => {
  const view = approvalView();
  const executor = {
    name: "other-agent",
    line: "agent exec -",
    network: true,
    timeout_s: 90,
    env: ["AGENT_KEY"],
  };
  const free = { task: "T3", title: "Write it down", by: "person" };
  const { backend, user, confirm } = await open({
    approval: () => ({
      ...view,
      effort: { ...view.effort, executors: [executor] },
      steps: [
        ...view.steps,
        { ...free, effects: [effect("waits_for_you", "to do it")], is_free: true },
      ],
    }),
  });
  expect(screen.getByText("yours")).toBeTruthy();
  await user.click(screen.getByText("Run options"));
  expect(
    screen.getByText(/with network access, with AGENT_KEY from your environment, for up to 90 s/),
  ).toBeTruthy();
  await user.click(screen.getByRole("radio", { name: /^other-agent/ }));
  expect(screen.queryByText("yours")).toBeNull();
  expect(screen.queryByText("waiting on you")).toBeNull();
  expect(screen.getByTitle("Handed off to this command from your settings").textContent).toBe(
    "other-agent",
  );
  await armed();
  await user.click(confirm());
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({
    effort: { hand_over: "other-agent", model: null },
  });
});

test("changes since the last approval are listed without the app's own checkmarks, and the open run is named", async () => {
  const before = "b".repeat(64);
  const change = (id: string, kind: string) => ({
    id,
    kind,
    title: `Step ${id}`,
    notes: [],
    parts: [],
  });
  const { backend } = await open({
    outline: () => ({ ...outline, run: runId }),
    run: () => runView({ revision: before, is_live: false, can_resume: true, state: "waiting" }),
    compare: () => ({
      from: before,
      to: revision,
      tasks: [change("T1", "done"), change("T9", "added")],
      more_tasks: 0,
      unchanged: 1,
      around: [],
      lines: [],
      is_cut: false,
    }),
  });
  expect(await screen.findByText(/A new run closes it/)).toBeTruthy();
  expect(screen.getByText("CHANGED SINCE THE LAST APPROVAL")).toBeTruthy();
  expect(screen.getByText(/· added/)).toBeTruthy();
  expect(screen.queryByText(/Step T1/)).toBeNull();
  expect(backend.callsOf("compare").at(-1)).toMatchObject({ from: before, to: revision });
});
