/** A plan for which another agent is waiting: the strip, the verbs, and what the agent receives. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WaitingReview } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { armedAfterMs } from "../src/components/ArmedButton";
import { AgentStrip } from "../src/features/approve/AgentStrip";
import ApprovePart from "../src/features/approve/ApprovePart";
import { askApproval, closeApproval } from "../src/features/approve/open";
import { Bar } from "../src/features/bar/Bar";
import { verbs } from "../src/features/bar/verbs";
import InboxScreen from "../src/features/inbox/InboxScreen";
import { toasts } from "../src/lib/toast";
import { words } from "../src/words";
import {
  type Answers,
  outline,
  planPath,
  revision,
  start,
  startBackend,
  workspacePath,
} from "./backend";
import { approvalView, effect } from "./run.fixtures";

const review: WaitingReview = { id: "r1", agent: "Claude Code", since_ms: 1 };
const strip = "Claude Code is waiting for your decision on this plan.";

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  toasts.set([]);
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => {
  stop();
  act(closeApproval);
});

async function show(more: Answers = {}) {
  const backend = await startBackend({
    start: () => start,
    outline: () => outline,
    approval: () => approvalView(),
    approve: () => ({ revision, run: null, told: 1 }),
    comments: () => [],
    waiting_review: () => review,
    ...more,
  });
  render(
    <>
      <AgentStrip plan={planPath} />
      <ApprovePart />
      <Bar />
    </>,
    backend,
  );
  const primary = await screen.findByRole("button", { name: "Approve for Claude Code…" });
  return { backend, primary, user: userEvent.setup() };
}

/** Ends the review, as if the agent had withdrawn it or a person had decided on it. */
async function withdraw(backend: Awaited<ReturnType<typeof startBackend>>) {
  backend.answers.waiting_review = () => null;
  await act(() => backend.send({ kind: "review", plan: planPath }));
  await waitFor(() => expect(screen.queryByText(strip)).toBeNull());
}

function armed(): Promise<void> {
  return new Promise((done) => setTimeout(done, armedAfterMs + 60));
}

test("the strip says who waits, offers no approval, and goes when the agent withdraws", async () => {
  const { backend } = await show();
  const status = screen.getByRole("status");
  expect(status.textContent).toBe(strip);
  expect(within(status).queryByRole("button")).toBeNull();
  await withdraw(backend);
  expect(await screen.findByRole("button", { name: "Approve and run…" })).toBeTruthy();
});

test("the verbs say who carries the plan out", async () => {
  await show();
  const shown = verbs.get().map(({ title, consequence }) => [title, consequence]);
  expect(shown).toEqual([
    ["Approve and run here…", "Planwright runs exactly this revision and tells Claude Code not to"],
    ["Approve for Claude Code…", "Tells Claude Code, which then carries out this revision"],
    [
      "Approve with notes…",
      "Adds your notes under the steps; Claude Code carries out the resulting plan",
    ],
    ["Request changes…", "Sends your feedback to Claude Code for a new revision; nothing runs"],
  ]);
});

test("approving for the agent runs nothing, and a toast names the agent's answer", async () => {
  const { backend, primary, user } = await show();
  await user.click(primary);
  expect(await screen.findByText(/outside Planwright’s sandbox/)).toBeTruthy();
  expect(screen.queryByText(/^Sandbox:/)).toBeNull();
  const confirm = screen.getByRole("button", { name: "Approve" });
  expect(document.activeElement).not.toBe(confirm);
  await armed();
  await user.click(confirm);
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({ revision, run: false });
  await waitFor(() => expect(toasts.get()).toHaveLength(1));
  expect(toasts.get()[0]).toMatchObject({
    title: "Approved for Claude Code",
    message: "Planwright told Claude Code to carry out revision 9b41c07ade12.",
  });
});

test("steps that nobody else does are the agent’s, not the person’s", async () => {
  const [step] = approvalView().steps;
  if (!step) throw new Error("no step");
  const free = { ...step, is_free: true, by: "person" };
  const effects = [effect("waits_for_you", "to do it and mark it as done")];
  const { primary, user } = await show({
    approval: () => approvalView({ steps: [{ ...free, effects }] }),
  });
  await user.click(primary);
  const chip = await screen.findByTitle(words.approve.steps.byAgent);
  expect(chip.textContent).toBe("Claude Code");
  expect(screen.queryByText(words.approve.steps.yours)).toBeNull();
  expect(screen.queryByText("to do it and mark it as done")).toBeNull();
});

test("approving and running here says that Planwright tells the agent not to", async () => {
  const { user } = await show();
  act(() => askApproval("run"));
  expect(await screen.findByText(/tells Claude Code not to/)).toBeTruthy();
  await armed();
  await user.click(screen.getByRole("button", { name: "Approve and run" }));
  await waitFor(() => expect(toasts.get()).toHaveLength(1));
});

test("notes for the agent are never run here, even if it withdraws meanwhile", async () => {
  const { backend, user } = await show({
    preview_notes: () => ({ revision, diff: [] }),
  });
  act(() => askApproval("notes"));
  await user.type(await screen.findByRole("textbox"), "Keep it short");
  expect(screen.queryByRole("checkbox", { name: "Run now" })).toBeNull();
  await withdraw(backend);
  expect(await screen.findByText(/Claude Code is no longer waiting/)).toBeTruthy();
  const runNow = screen.getByRole<HTMLInputElement>("checkbox", { name: "Run now" });
  expect(runNow.checked).toBe(false);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Keep it short");
  await user.click(screen.getByRole("button", { name: "Preview the plan" }));
  await armed();
  await user.click(screen.getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(backend.callsOf("approve")).toHaveLength(1));
  expect(backend.callsOf("approve")[0]?.request).toMatchObject({ run: false });
});

test("an approval of a withdrawn review is saved, and the toast says that the agent got no answer", async () => {
  const { backend, primary, user } = await show({
    approve: () => ({ revision, run: null, told: 0 }),
  });
  await user.click(primary);
  await screen.findByText("src/cli.py");
  await withdraw(backend);
  await armed();
  await user.click(screen.getByRole("button", { name: "Approve" }));
  await waitFor(() => expect(toasts.get()).toHaveLength(1));
  expect(toasts.get()[0]).toMatchObject({
    title: words.approve.dialog.saved,
    message: "Claude Code had stopped waiting and got no answer.",
  });
});

test("changes are requested by keyboard alone", async () => {
  const { backend, user } = await show({ request_changes: () => 1 });
  await user.keyboard("pc");
  const field = await screen.findByRole("textbox", { name: words.approve.request.label });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(screen.getByText(/Claude Code gets your feedback and your edits/)).toBeTruthy();
  await user.keyboard("Smaller steps{Tab}{Tab}{Enter}");
  await waitFor(() => expect(backend.callsOf("request_changes")).toHaveLength(1));
  expect(backend.callsOf("request_changes")[0]).toMatchObject({ text: "Smaller steps" });
  await waitFor(() => expect(toasts.get()).toHaveLength(1));
  expect(toasts.get()[0]).toMatchObject({ message: "Claude Code has your feedback." });
});

test("the Inbox names the agent and opens the plan", async () => {
  const item = {
    id: "review/r1",
    workspace: workspacePath,
    plan: planPath,
    title: "Add a --json flag",
    kind: "agent_review",
    run: null,
    talk: null,
    question: null,
    message: "Claude Code is waiting for your decision.",
    since_ms: 1,
  };
  const backend = await startBackend({ inbox: () => [item] });
  render(<InboxScreen />, backend);
  expect(await screen.findByText("An agent proposed a plan")).toBeTruthy();
  expect(screen.getByText("Claude Code is waiting for your decision.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Open Add a --json flag" })).toBeTruthy();
});
