/** Requesting changes to a plan that an agent wrote: who revises it, the agent's progress, and its failures. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentView, PlanRoute } from "../src/api/bindings";
import { goTo, nowhere, restorePlace } from "../src/app/place";
import { AgentRevision } from "../src/features/approve/AgentRevision";
import ApprovePart from "../src/features/approve/ApprovePart";
import { askApproval, closeApproval } from "../src/features/approve/open";
import { agentRevisions } from "../src/features/approve/revisions";
import { verbs } from "../src/features/bar/verbs";
import { toasts } from "../src/lib/toast";
import { words } from "../src/words";
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
import { ruleRoute } from "./route.fixtures";

const w = words.approve.request;
const job = `revision:${planPath}`;

const route: PlanRoute = {
  ...ruleRoute,
  solver: "gs-agent",
  agent: "claude",
  model: "Claude Code",
  requests: 1,
};

const claude: AgentView = {
  name: "claude",
  title: "Claude Code",
  has_entry: false,
  line: "/usr/bin/claude-agent-acp",
  tier: "copy",
  network: true,
  env: [],
  problem: null,
  install: null,
};

beforeEach(() => {
  toasts.set([]);
  agentRevisions.set({});
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => act(closeApproval));

/** A promise for an answer, and functions that resolve or reject it later. */
function later<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

async function show(more: Answers = {}) {
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    outline: () => outline,
    comments: () => [],
    plan_route: () => route,
    agents: () => ({ agents: [claude], hooks: [] }),
    request_changes: () => 0,
    cancel_planning: () => null,
    ...more,
  });
  render(
    <>
      <AgentRevision plan={planPath} />
      <ApprovePart />
    </>,
    backend,
  );
  await waitFor(() => expect(verbs.get()).not.toHaveLength(0));
  const user = userEvent.setup();
  const ask = async (text: string) => {
    act(() => askApproval("changes"));
    await user.type(await screen.findByLabelText(/What should change/), text);
  };
  const confirm = () => user.click(screen.getByRole("button", { name: w.confirm }));
  return { backend, user, ask, confirm };
}

test("the agent that wrote the plan gets the request, and the window shows its progress", async () => {
  const revised = later<unknown>();
  const { backend, user, ask, confirm } = await show({ revise_with_agent: () => revised.promise });
  const consequence = verbs.get().find((verb) => verb.id === "plan.request")?.consequence;
  expect(consequence).toContain("Claude Code");
  await ask("Say Servus");
  const choice = screen.getByRole("radiogroup", { name: w.reviser });
  const agent = within(choice).getByLabelText<HTMLInputElement>(w.writer("Claude Code"));
  expect(agent.checked).toBe(true);
  expect(within(choice).getAllByRole("radio")).toHaveLength(3);
  expect(screen.getByText(/Claude Code gets the plan/)).toBeTruthy();
  await confirm();
  await waitFor(() => expect(backend.callsOf("revise_with_agent")).toHaveLength(1));
  expect(backend.callsOf("request_changes")).toEqual([
    { plan: planPath, revision, text: "Say Servus", reviser: "agent" },
  ]);
  expect(backend.callsOf("revise_with_agent")).toEqual([
    { request: { job, plan: planPath, agent: "claude" } },
  ]);

  const phase = "Claude Code reads the plan and revises it";
  await act(() => backend.send({ kind: "planning", job, phase, files: 0, said: 12 }));
  expect(await screen.findByText(phase)).toBeTruthy();
  expect(screen.getByText(/12 characters received/)).toBeTruthy();

  // While the agent is revising the plan, nothing else can be sent to it.
  await ask("Say Moin");
  expect(screen.getByText(w.alreadyRevising("Claude Code"))).toBeTruthy();
  await user.click(screen.getByLabelText(w.nobody));
  expect(screen.queryByText(w.alreadyRevising("Claude Code"))).toBeNull();
  act(closeApproval);

  await act(async () => revised.resolve({ plan: planPath, notices: ["Merged."] }));
  await waitFor(() => expect(screen.queryByText(phase)).toBeNull());
  const titles = toasts.get().map((toast) => toast.title);
  expect(titles).toEqual([w.requested, "Claude Code revised the plan", "Merged."]);
  expect(backend.callsOf("approve")).toEqual([]);
});

test.each([
  [w.model, "model"],
  [w.nobody, "nobody"],
])("the person can choose %s instead", async (label, reviser) => {
  const { backend, user, ask, confirm } = await show();
  await ask("Say Servus");
  await user.click(screen.getByLabelText(label));
  await confirm();
  await waitFor(() => expect(backend.callsOf("request_changes")).toHaveLength(1));
  expect(backend.callsOf("request_changes")[0]).toMatchObject({ reviser });
  expect(backend.callsOf("revise_with_agent")).toEqual([]);
});

test("without a model, the choice is between the agent and nobody", async () => {
  const { ask } = await show({ start: () => ({ ...start, has_model: false }) });
  await ask("Say Servus");
  expect(screen.getByLabelText(w.nobody)).toBeTruthy();
  expect(screen.queryByLabelText(w.model)).toBeNull();
});

test("there is no choice if the agent is gone", async () => {
  const gone = { ...claude, line: null, problem: "not found" };
  const { backend, ask, confirm } = await show({ agents: () => ({ agents: [gone], hooks: [] }) });
  await ask("Say Servus");
  expect(screen.getByText(/Claude Code, which wrote this plan, wasn’t found/)).toBeTruthy();
  expect(screen.queryByRole("radiogroup")).toBeNull();
  await confirm();
  await waitFor(() => expect(backend.callsOf("request_changes")).toHaveLength(1));
  expect(backend.callsOf("request_changes")[0]).toMatchObject({ reviser: "model" });
});

test("an agent that waits for the decision gets the request", async () => {
  const { ask } = await show({ waiting_review: () => ({ id: "r", agent: "Codex", since_ms: 1 }) });
  await ask("Say Servus");
  expect(await screen.findByText(/Codex gets your feedback/)).toBeTruthy();
  expect(screen.queryByRole("radiogroup")).toBeNull();
});

test("a failed revision says why, and the request can be sent again", async () => {
  const message = "Claude Code: no key is set; log in";
  const { backend, user, ask, confirm } = await show({
    revise_with_agent: () => {
      throw refusal("failed", message);
    },
  });
  await ask("Say Servus");
  await confirm();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(message);
  expect(alert.textContent).toContain(words.approve.revision.isSaved);
  // The failure is only shown in place, not in a toast.
  expect(toasts.get().map((toast) => toast.title)).toEqual([w.requested]);

  backend.answers.comments = () => [
    { id: 1, task: null, revision, text: "Say Servus", at_ms: 0, is_sent: false },
  ];
  await act(() => backend.send({ kind: "review", plan: planPath }));
  const revised = later<unknown>();
  backend.answers.revise_with_agent = () => revised.promise;
  await user.click(screen.getByRole("button", { name: words.approve.revision.again }));
  expect(await screen.findByText("Say Servus")).toBeTruthy();
  await confirm();
  await waitFor(() => expect(backend.callsOf("revise_with_agent")).toHaveLength(2));
  expect(screen.queryByRole("alert")).toBeNull();

  // The second revision is cancelled.
  await user.click(await screen.findByRole("button", { name: words.routes.progress.cancel }));
  expect(backend.callsOf("cancel_planning")).toEqual([{ job }]);
  await act(async () => revised.reject(refusal("cancelled", "cancelled")));
  const strip = await screen.findByRole("alert");
  expect(strip.textContent).toContain(words.approve.revision.cancelledTitle("Claude Code"));
  await user.click(screen.getByRole("button", { name: words.approve.revision.dismiss }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a failure is announced elsewhere if the plan isn’t on screen", async () => {
  const revised = later<unknown>();
  const { backend, ask, confirm } = await show({ revise_with_agent: () => revised.promise });
  await ask("Say Servus");
  await confirm();
  await waitFor(() => expect(backend.callsOf("revise_with_agent")).toHaveLength(1));
  act(() => goTo("settings"));
  await act(async () => revised.reject(refusal("failed", "It ended; try again")));
  await waitFor(() => expect(toasts.get()).toHaveLength(2));
  expect(toasts.get()[1]).toMatchObject({
    tone: "bad",
    title: words.approve.revision.failedTitle("Claude Code"),
    message: "It ended; try again",
    action: { label: words.approve.revision.open },
  });
});
