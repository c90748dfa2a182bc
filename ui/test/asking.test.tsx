/** The open question about a plan: answered once, by click or number key, and undone with one click; the same in the Inbox. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { InboxItem, PlanQuestion } from "../src/api/bindings";
import { availableActions, listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { OpenQuestion } from "../src/features/asking/OpenQuestion";
import { deafMs } from "../src/features/asking/PlanQuestionCard";
import InboxScreen from "../src/features/inbox/InboxScreen";
import { toasts } from "../src/lib/toast";
import { type Answers, planPath, refusal, revision, startBackend, workspacePath } from "./backend";

const question: PlanQuestion = {
  id: "q1",
  plan: planPath,
  question: "Does the default output stay as it is?",
  stakes: "Programs that read the report today depend on it.",
  options: [
    { label: "It stays", consequence: "R2 says so, and T2 gets a check." },
    { label: "It may change", consequence: "A step that tells users is added." },
  ],
  default: 0,
};

const item: InboxItem = {
  id: "question/q1",
  workspace: workspacePath,
  plan: planPath,
  title: "Add a --json flag",
  kind: "plan_question",
  run: null,
  talk: null,
  question: null,
  message: question.question,
  since_ms: 0,
};

let stopKeys = () => {};
beforeEach(() => {
  toasts.set([]);
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

async function start(more: Answers = {}) {
  const backend = await startBackend({
    plan_question: () => question,
    inbox: () => [item],
    answer_question: () => ({ outcome: "written", revision, task: null, merged: false }),
    undo_edit: () => ({ outcome: "unchanged", revision }),
    ...more,
  });
  return { backend, user: userEvent.setup() };
}

const card = () => screen.findByRole("region", { name: question.question });
const listens = () => act(() => new Promise((done) => setTimeout(done, deafMs + 60)));

test("the question shows its stakes, the effect of each answer, and the default", async () => {
  const { backend } = await start();
  render(<OpenQuestion plan={planPath} />, backend);
  const shown = await card();
  expect(within(shown).getByText(question.stakes)).toBeDefined();
  const [first, second] = within(shown).getAllByRole("button");
  expect(first?.textContent).toContain("default if unanswered");
  expect(first?.textContent).toContain("T2 gets a check");
  expect(second?.textContent).not.toContain("default if unanswered");
});

test("a click just after the card appears is ignored; a later double click answers once", async () => {
  const { backend, user } = await start();
  render(<OpenQuestion plan={planPath} />, backend);
  const answer = within(await card()).getByRole("button", { name: /It may change/ });
  await user.click(answer);
  expect(backend.callsOf("answer_question")).toEqual([]);
  await listens();
  await user.dblClick(answer);
  await waitFor(() =>
    expect(backend.callsOf("answer_question")).toEqual([{ id: "q1", option: 1 }]),
  );
  await waitFor(() => expect(toasts.get().at(-1)?.action?.label).toBe("Undo"));
});

test("a number key answers inside the card; elsewhere it needs q first", async () => {
  const { backend, user } = await start();
  render(<OpenQuestion plan={planPath} />, backend);
  const shown = await card();
  await listens();
  await user.keyboard("2");
  expect(backend.callsOf("answer_question")).toEqual([]);
  await user.keyboard("gq");
  expect(document.activeElement).toBe(shown);
  await user.keyboard("9");
  await user.keyboard("1");
  await waitFor(() =>
    expect(backend.callsOf("answer_question")).toEqual([{ id: "q1", option: 0 }]),
  );
});

test("the answers are in the palette, with their keys", async () => {
  const { backend, user } = await start();
  render(<OpenQuestion plan={planPath} />, backend);
  await card();
  await listens();
  expect(availableActions().map(({ title }) => title)).toContain(
    "Answer the question: It may change",
  );
  await user.keyboard("q2");
  await waitFor(() =>
    expect(backend.callsOf("answer_question")).toEqual([{ id: "q1", option: 1 }]),
  );
});

test("an answer that failed to save can be given again", async () => {
  const { backend, user } = await start({
    answer_question: () => {
      throw refusal("workspace", "The disk is full.");
    },
  });
  render(<OpenQuestion plan={planPath} />, backend);
  const answer = within(await card()).getByRole("button", { name: /It stays/ });
  await listens();
  await user.click(answer);
  await waitFor(() => expect(toasts.get().at(-1)?.message).toBe("The disk is full."));
  await user.click(answer);
  await waitFor(() => expect(backend.callsOf("answer_question")).toHaveLength(2));
});

test("the card disappears when the question is withdrawn", async () => {
  const { backend } = await start();
  render(<OpenQuestion plan={planPath} />, backend);
  await card();
  backend.answers.plan_question = () => null;
  await backend.send({ kind: "inbox" });
  await waitFor(() => expect(screen.queryByRole("region")).toBeNull());
});

test("the Inbox shows the same card", async () => {
  const { backend, user } = await start();
  render(<InboxScreen />, backend);
  const answer = within(await card()).getByRole("button", { name: /It stays/ });
  await listens();
  await user.click(answer);
  await waitFor(() =>
    expect(backend.callsOf("answer_question")).toEqual([{ id: "q1", option: 0 }]),
  );
});
