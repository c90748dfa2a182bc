/** The Run panel and the Inbox: current activity, open questions, available actions, and undo. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunView } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { deafMs } from "../src/components/ConfirmDialog";
import { asked, closeApproval } from "../src/features/approve/open";
import { Bar } from "../src/features/bar/Bar";
import ChangesPanel from "../src/features/changes/ChangesPanel";
import UndoPart from "../src/features/changes/UndoPart";
import InboxScreen from "../src/features/inbox/InboxScreen";
import ReceiptPart from "../src/features/receipt/ReceiptPart";
import RunPanel from "../src/features/run/RunPanel";
import RunPart from "../src/features/run/RunPart";
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
import { permission, question, runId, runView, step } from "./run.fixtures";

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", task: "T2" },
    () => {},
  );
  toasts.set([]);
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

async function show(view: RunView | null, Panel: () => React.ReactNode, more: Answers = {}) {
  const backend = await startBackend({
    start: () => start,
    outline: () => ({ ...outline, run: view?.run ?? null }),
    run: () => view,
    run_step: () => step,
    runs_of: () => (view ? [view] : []),
    comments: () => [],
    steer: () => null,
    answer: () => null,
    ...more,
  });
  render(
    <>
      <aside id="panel">
        <Panel />
      </aside>
      <RunPart />
      <UndoPart />
      <ReceiptPart />
      <Bar />
    </>,
    backend,
  );
  return { backend, user: userEvent.setup() };
}

const current = {
  task: "T2",
  step: 2,
  steps: 7,
  is_open_ended: false,
  phase: "tool_calling",
  tools_used: [],
  discoveries: ["Flags are declared in build_parser()"],
  current_action: null,
  elapsed_ms: 3200,
  quiet_ms: 0,
};

test("without a run the panel says so", async () => {
  await show(null, RunPanel);
  expect(await screen.findByText("No runs yet")).toBeTruthy();
});

test("a run shows its step and findings, and says when there was no output for 10 s", async () => {
  const { backend } = await show(runView({ current }), RunPanel);
  expect(await screen.findByText("Step 2/7 · T2")).toBeTruthy();
  expect(await screen.findByText("Flags are declared in build_parser()")).toBeTruthy();
  expect(screen.queryByText(/No sign of life/)).toBeNull();
  await act(() =>
    backend.send({
      kind: "progress",
      run: runId,
      plan: planPath,
      progress: { ...current, quiet_ms: 12_000 },
      beside: [],
    }),
  );
  expect(await screen.findByText(/No output for 12 s/)).toBeTruthy();
});

test("parallel steps are shown next to the current one until they end", async () => {
  const other = { ...current, task: "T3", current_action: "run_command make right" };
  const { backend } = await show(runView({ current, beside: [other], parallel: 2 }), RunPanel);
  const list = await screen.findByRole("list", { name: "Other steps running" });
  expect(list.textContent).toContain("T3");
  expect(list.textContent).toContain("run_command make right");
  await act(() =>
    backend.send({ kind: "progress", run: runId, plan: planPath, progress: current, beside: [] }),
  );
  await waitFor(() =>
    expect(screen.queryByRole("list", { name: "Other steps running" })).toBeNull(),
  );
});

test("an open question is announced, and its shortcut focuses the card without pressing anything", async () => {
  const { backend, user } = await show(
    runView({ state: "waiting", questions: [permission] }),
    RunPanel,
  );
  await screen.findByRole("button", { name: "Allow once" });
  expect(document.activeElement).toBe(document.body);
  const said = screen.getAllByRole("status").map((one) => one.textContent);
  expect(said).toContain("T2 wants to run a command");
  await user.keyboard("w");
  await waitFor(() => expect(document.activeElement?.getAttribute("data-kind")).toBe("permission"));
  await user.keyboard("{Enter}");
  expect(backend.callsOf("answer")).toEqual([]);
});

test("“Approve and continue” in the bar answers only while the step's card is visible", async () => {
  const box = { bottom: 0, top: 0, width: 0 } as DOMRect;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(() => box);
  const { backend, user } = await show(
    runView({ state: "waiting", questions: [question("approval")] }),
    RunPanel,
    { task: () => ({ revision, row: { files: [] }, fields: [], fingerprint: "fp-T2" }) },
  );
  const [bar] = (await screen.findAllByRole("button", { name: "Approve and continue" })).slice(-1);
  await new Promise((done) => setTimeout(done, 560));
  await user.click(bar as HTMLElement);
  expect(backend.callsOf("answer")).toEqual([]);
  await waitFor(() => expect(document.activeElement?.getAttribute("data-kind")).toBe("approval"));

  Object.assign(box, { bottom: 300, top: 100, width: 300 });
  await user.dblClick(bar as HTMLElement);
  await waitFor(() => expect(backend.callsOf("answer")).toHaveLength(1));
  expect(backend.callsOf("answer")[0]?.request).toMatchObject({
    task: "T2",
    kind: "approval",
    fingerprint: "fp-T2",
    answer: { answer: "run", upto: null },
  });
});

test("pause finishes the current step; cancel asks first", async () => {
  const { backend, user } = await show(runView({ current }), RunPanel);
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  await waitFor(() =>
    expect(backend.callsOf("steer")).toEqual([{ run: runId, steering: { action: "pause" } }]),
  );
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard("rc");
  const cancel = await screen.findByRole("button", { name: "Cancel run" });
  await new Promise((done) => setTimeout(done, deafMs + 50));
  await user.click(cancel);
  await waitFor(() =>
    expect(backend.callsOf("steer").at(-1)).toEqual({
      run: runId,
      steering: { action: "cancel" },
    }),
  );
});

test.each([
  "waiting",
  "paused",
  "failed",
  "interrupted",
  "stopped",
  "not_covered",
  "unverified",
  "incomplete",
])("a run that is %s can be resumed in the panel and from the bar", async (state) => {
  const { backend, user } = await show(runView({ state, is_live: false }), RunPanel);
  const buttons = await screen.findAllByRole("button", { name: "Resume" });
  expect(buttons).toHaveLength(2);
  await user.click(buttons[0] as HTMLElement);
  await waitFor(() =>
    expect(backend.callsOf("steer")).toEqual([{ run: runId, steering: { action: "resume" } }]),
  );
});

test("a run in another process can be watched but not answered", async () => {
  await show(runView({ is_live: false, is_elsewhere: true, questions: [permission] }), RunPanel);
  expect(await screen.findByText(/This run is in another window or terminal. Answer/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Allow once" }).getAttribute("aria-disabled")).toBe(
    "true",
  );
});

test("a finished run links to its receipt", async () => {
  const { user } = await show(
    runView({ state: "done", is_live: false, done: 7, message: "All steps ended." }),
    RunPanel,
    {
      receipt: () => ({
        run: runId,
        title: "Add a --json flag",
        plan: planPath,
        revision,
        policy: "each",
        sandbox: "bubblewrap",
        parallel: 2,
        state: "done",
        started_at_ms: 0,
        ended_at_ms: 1,
        work_ms: 5000,
        turns: 3,
        tokens_in: 1_200,
        tokens_out: 90,
        notes: ["The plan file changed; a person chose to continue"],
        steps: [{ ...step, beside: ["T3"], started_at_ms: 1_000, ended_at_ms: 3_000 }],
        markdown: "# Receipt",
      }),
    },
  );
  const [inPanel] = await screen.findAllByRole("button", { name: "Receipt" });
  await user.click(inPanel as HTMLElement);
  expect(await screen.findByText("1,200 in, 90 out")).toBeTruthy();
  expect(screen.getByText(/a person chose to continue$/)).toBeTruthy();
  expect(
    screen.getByText(/^In parallel with T3, from 1(\.0)? s to 3(\.0)? s into the run$/),
  ).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy as Markdown" }));
  expect(await navigator.clipboard.readText()).toBe("# Receipt");
});

test("a step's brief is copied to the clipboard", async () => {
  const { user } = await show(null, RunPanel, { brief: () => "Do T2." });
  await user.click(await screen.findByRole("button", { name: "Copy as brief" }));
  await waitFor(() =>
    expect(toasts.get().map((one) => one.title)).toContain("Brief for T2 copied"),
  );
  expect(await navigator.clipboard.readText()).toBe("Do T2.");
});

test("undoing changes asks first, and conflicts are shown in full", async () => {
  const { backend, user } = await show(
    runView({
      steps: [{ task: "T2", title: "x", state: "done", reason: null, changes: 1, work_ms: 1 }],
    }),
    ChangesPanel,
    {
      changes: () => ({
        run: runId,
        task: "T2",
        files: [
          {
            path: "src/cli.py",
            kind: "changed",
            added: 6,
            removed: 1,
            is_text: true,
            is_undone: false,
            can_undo: true,
          },
        ],
        count: 1,
        ignored: ["build/out.o"],
        before:
          "Before this run the tree was clean at 3f2c1e9. Planwright doesn't commit anything.",
      }),
      file_diff: () => ({
        lines: [{ kind: "added", old: null, new: 1, text: "<b>parser</b>" }],
        is_cut: false,
      }),
      undo_changes: () => ({
        restored: [],
        merged: [],
        not_held: [],
        ignored: [],
        conflicts: [{ path: "src/cli.py", text: "<<<<<<< now\na\n=======\nb\n>>>>>>> before" }],
      }),
    },
  );
  expect(await screen.findByText("<b>parser</b>")).toBeTruthy();
  expect(screen.getByText("build/out.o")).toBeTruthy();
  expect(screen.getByText(/clean at 3f2c1e9. Planwright doesn't commit anything.$/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo src/cli.py" }));
  const confirm = await screen.findByRole("button", { name: "Undo changes" });
  await new Promise((done) => setTimeout(done, deafMs + 50));
  await user.click(confirm);
  expect((await screen.findByLabelText("Both versions of src/cli.py")).textContent).toContain(
    "=======",
  );
  expect(backend.callsOf("undo_changes")).toEqual([{ run: runId, task: "T2", path: "src/cli.py" }]);
});

test("a diff can be opened in a wide dialog", async () => {
  const file = { kind: "changed", added: 1, removed: 0, is_text: true };
  const { user } = await show(
    runView({
      steps: [{ task: "T2", title: "x", state: "done", reason: null, changes: 2, work_ms: 1 }],
    }),
    ChangesPanel,
    {
      changes: () => ({
        run: runId,
        task: "T2",
        files: [
          { ...file, path: "src/cli.py", is_undone: false, can_undo: true },
          { ...file, path: "logo.png", is_text: false, is_undone: false, can_undo: true },
        ],
        count: 2,
        ignored: [],
        before: "Clean.",
      }),
      file_diff: () => ({
        lines: [{ kind: "added", old: null, new: 1, text: "<b>parser</b>" }],
        is_cut: true,
      }),
    },
  );
  await screen.findByText("<b>parser</b>");
  expect(screen.queryByRole("button", { name: "Wide view of logo.png" })).toBeNull();
  const button = screen.getByRole("button", { name: "Wide view of src/cli.py" });
  await user.click(button);
  const dialog = await screen.findByRole("dialog", { name: "src/cli.py" });
  expect(
    within(dialog).getByRole("group", { name: "Changes to src/cli.py" }).textContent,
  ).toContain("<b>parser</b>");
  expect(within(dialog).getByText(/Diff truncated/)).toBeTruthy();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test("the Inbox groups questions by plan, oldest first, and answers them in place", async () => {
  const item = (id: string, plan: string, since_ms: number) => ({
    id,
    workspace: workspacePath,
    plan,
    title: `Plan ${plan}`,
    kind: "person",
    run: runId,
    question: question("person", { task: `T${id}` }),
    message: "",
    since_ms,
  });
  const { user } = await show(null, InboxScreen, {
    run: () => runView(),
    inbox: () => [item("3", "b", 3), item("1", "a", 1), item("2", "b", 2)],
  });
  await screen.findAllByRole("button", { name: "Mark as done" });
  const heads = screen.getAllByRole("heading", { level: 2 }).map((one) => one.textContent);
  expect(heads).toEqual(["Plan a", "Plan b"]);
  const cards = screen.getAllByRole("heading", { level: 3 }).map((one) => one.textContent);
  expect(cards).toEqual(["T1 is yours", "T2 is yours", "T3 is yours"]);
  await user.click(screen.getByRole("button", { name: "Open Plan b" }));
  expect(getPlace()).toMatchObject({ plan: "b", screen: "plan", run: runId, panel: "run" });
});

test.each([
  "waiting",
  "paused",
  "failed",
  "interrupted",
  "not_covered",
  "unverified",
  "incomplete",
])("a run that is %s is resumed from the Inbox", async (kind) => {
  const item = {
    id: `${runId}/${kind}`,
    workspace: workspacePath,
    plan: planPath,
    title: "Add a --json flag",
    kind,
    run: runId,
    talk: null,
    question: null,
    message: "Resume it.",
    since_ms: 1,
  };
  const { backend, user } = await show(null, InboxScreen, {
    run: () => runView({ state: kind, is_live: false }),
    inbox: () => [item],
  });
  await user.click(await screen.findByRole("button", { name: "Resume" }));
  await waitFor(() =>
    expect(backend.callsOf("steer")).toEqual([{ run: runId, steering: { action: "resume" } }]),
  );
});

test("an empty Inbox says so", async () => {
  await show(null, InboxScreen, { inbox: () => [] });
  expect(await screen.findByText("Nothing is waiting on you")).toBeTruthy();
});

test("the question about a changed plan has its own title and can approve the new revision", async () => {
  const changed = question("changed", {
    task: "changed",
    options: [
      { label: "Continue with the approved plan", effect: "ignores the changes", is_review: false },
    ],
  });
  const waiting = runView({ state: "waiting", is_live: false, questions: [changed] });
  const { user } = await show(waiting, RunPanel);
  expect(await screen.findByRole("region", { name: "The plan changed" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Answer the question" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Approve the new revision…" }));
  expect(asked.get()).toEqual({ what: "run", upto: null });
  act(closeApproval);
});
