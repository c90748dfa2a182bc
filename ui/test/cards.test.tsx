/** A run's open questions: one card per kind, answered once, with typed text kept as drafts. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { RunQuestion } from "../src/api/bindings";
import { getPlace } from "../src/app/place";
import { QuestionCard } from "../src/features/run/cards/QuestionCard";
import { deafMs } from "../src/features/run/cards/useCardAnswer";
import { type Answers, outline, planPath, startBackend } from "./backend";
import { danger, effect, permission, question, runId, step } from "./run.fixtures";

async function show(asked: RunQuestion, more: Answers = {}, closed: string | null = null) {
  const backend = await startBackend({
    outline: () => outline,
    task: () => ({
      revision: outline.revision,
      row: { files: ["src/cli.py"] },
      fields: [{ key: "verify", values: ["python3 -m unittest tests.test_cli"] }],
      fingerprint: "fp-T2",
    }),
    run_step: () => step,
    answer: () => null,
    ...more,
  });
  const view = render(<QuestionCard question={asked} plan={planPath} closed={closed} />, backend);
  await waitFor(() => expect(backend.callsOf("drafts").length).toBeGreaterThan(0));
  await new Promise((done) => setTimeout(done, deafMs + 60));
  const given = () =>
    backend.callsOf("answer").map((args) => (args.request as { answer: unknown }).answer);
  return { backend, view, given, user: userEvent.setup() };
}

const press = (name: RegExp | string) => screen.getByRole("button", { name });

test("a permission shows the whole command and its facts, and is allowed once", async () => {
  const { backend, given, user } = await show(permission);
  expect(screen.getByLabelText("Full command").textContent).toBe(permission.permission?.subject);
  expect(screen.getByText("No shell · in the workspace · not named in the plan")).toBeTruthy();
  await user.dblClick(press("Allow once"));
  await waitFor(() => expect(given()).toEqual([{ answer: "allow_once" }]));
  expect(backend.callsOf("answer")[0]?.request).toMatchObject({
    run: runId,
    task: "T2",
    kind: "permission",
    fingerprint: "fp-T2",
  });
});

test("a click just after the card appears is ignored: it was meant for the previous card", async () => {
  const backend = await startBackend({ answer: () => null });
  render(<QuestionCard question={permission} plan={planPath} />, backend);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Allow once" }));
  expect(backend.callsOf("answer")).toEqual([]);
});

test("a safety checkpoint lists what would be destroyed and continues once", async () => {
  const { given, user } = await show(danger);
  expect(screen.getByRole("heading", { name: "T2 deletes files" })).toBeTruthy();
  const list = screen.getByRole("list", { name: "What would be lost" });
  expect(within(list).getByText("build/ (12 files)")).toBeTruthy();
  expect(screen.getByLabelText("Full command").textContent).toBe("rm -r build");
  await user.dblClick(press("Allow once"));
  await waitFor(() => expect(given()).toEqual([{ answer: "allow_once" }]));
});

test("after a destructive command, the result can be kept, or undone with Deny", async () => {
  const asked = danger.permission;
  const past = asked?.danger && { ...asked, danger: { ...asked.danger, is_past: true } };
  const { given, user } = await show({ ...danger, permission: past ?? null });
  expect(screen.getByRole("list", { name: "What was lost" })).toBeTruthy();
  expect(screen.getByText(/already happened. Deny undoes/)).toBeTruthy();
  await user.click(press("Keep the result"));
  await waitFor(() => expect(given()).toEqual([{ answer: "allow_once" }]));
});

test("a safety checkpoint stays open during review", async () => {
  const { given, user } = await show(danger);
  await user.click(press("Let me review first"));
  expect(getPlace().panel).toBe("changes");
  expect(given()).toEqual([]);
  expect(press("Allow once")).toBeTruthy();
});

test("a safety checkpoint can be denied with a reason, and its rule is shown before it is added", async () => {
  const { given, user } = await show(danger);
  await user.click(press("Always allow…"));
  expect(await screen.findByText(/Adds the rule “exact rm -r build”/)).toBeTruthy();
  await user.keyboard("{Escape}");
  await user.click(press("Deny…"));
  await user.type(screen.getByLabelText(/Reason/), "Not before the release");
  await user.click(press("Deny"));
  await waitFor(() =>
    expect(given()).toEqual([{ answer: "deny", words: "Not before the release" }]),
  );
});

test("“Always allow” shows the rule to be added", async () => {
  const { given, user } = await show(permission);
  await user.click(press("Always allow…"));
  const item = await screen.findByRole("menuitem", { name: /“prefix python3 -m pip”/ });
  await user.click(item);
  await waitFor(() =>
    expect(given()).toEqual([
      { answer: "allow_always", rule: { kind: "prefix", text: "python3 -m pip" } },
    ]),
  );
});

test("a denial includes its reason, which is saved as a draft and deleted when sent", async () => {
  const { backend, given, user } = await show(permission);
  await user.click(press("Deny…"));
  await user.type(screen.getByLabelText(/Reason/), "Use the standard library");
  const key = `answer/${runId}/T2`;
  await waitFor(() =>
    expect(backend.callsOf("save_draft").at(-1)).toMatchObject({
      plan: planPath,
      key,
      text: "Use the standard library",
    }),
  );
  await user.click(press("Deny"));
  await waitFor(() =>
    expect(given()).toEqual([{ answer: "deny", words: "Use the standard library" }]),
  );
  await waitFor(() =>
    expect(backend.callsOf("save_draft").at(-1)).toMatchObject({ key, text: "" }),
  );
});

test("a saved draft is restored in the card", async () => {
  await show(permission, {
    drafts: () => [{ key: `answer/${runId}/T2`, text: "Because of", revision: null, at_ms: 0 }],
  });
  expect((await screen.findByLabelText(/Reason/)).textContent).toBe("Because of");
});

test("a decision's options are buttons labeled with their effects", async () => {
  const { given, user } = await show(
    question("decision", {
      message: "Which JSON layout?",
      options: [
        { label: "One object per line", effect: "continues with T3", is_review: false },
        { label: "One array", effect: "continues with T4", is_review: false },
      ],
    }),
  );
  expect(press("One array · continues with T4")).toBeTruthy();
  await user.type(screen.getByLabelText(/Note/), "streams well");
  await user.click(press("One object per line · continues with T3"));
  await waitFor(() =>
    expect(given()).toEqual([
      { answer: "choice", label: "One object per line", note: "streams well" },
    ]),
  );
});

test("a decision without options requires a text answer", async () => {
  const { given, user } = await show(question("decision"));
  await user.click(press("Answer"));
  expect(given()).toEqual([]);
  await user.type(screen.getByLabelText(/Your answer/), "Blue");
  await user.click(press("Answer"));
  await waitFor(() => expect(given()).toEqual([{ answer: "choice", label: "Blue", note: null }]));
});

test("an option that only shows the changes is recognized in any language and answers nothing", async () => {
  const look = { label: "Regarder", effect: "montre les changements", is_review: true };
  const { given, user } = await show(question("checkpoint", { options: [look] }));
  expect(screen.queryByRole("button", { name: "Let me review first" })).toBeNull();
  await user.click(press("Regarder · montre les changements"));
  expect(getPlace()).toMatchObject({ panel: "changes", run: runId });
  expect(given()).toEqual([]);
});

test("a checkpoint stays open during review", async () => {
  const { given, user } = await show(
    question("checkpoint", {
      options: [{ label: "Continue", effect: "continues with T5", is_review: false }],
    }),
  );
  await user.click(press("Let me review first"));
  expect(getPlace()).toMatchObject({
    plan: planPath,
    screen: "plan",
    panel: "changes",
    run: runId,
  });
  expect(given()).toEqual([]);
  expect(press("Continue · continues with T5")).toBeTruthy();
});

const effects = [
  {
    ...effect("edits", "src/cli.py"),
    diff: [{ kind: "added", old: null, new: 15, text: 'parser.add_argument("--json")' }],
  },
  effect("creates", "docs/usage.md"),
  effect("runs", "python3 -m unittest tests.test_cli"),
];

test("a step awaiting approval lists its effects and the lines it would change", async () => {
  const { given, user } = await show(question("approval", { effects }));
  expect(await screen.findByText("docs/usage.md")).toBeTruthy();
  expect(screen.getByText("python3 -m unittest tests.test_cli")).toBeTruthy();
  expect(screen.getAllByText("src/cli.py")).toHaveLength(1);
  expect(screen.getByText(/add_argument\("--json"\)/)).toBeTruthy();
  await user.click(press("Approve and continue"));
  await waitFor(() => expect(given()).toEqual([{ answer: "run", upto: null }]));
});

test("skipping a step requires a reason", async () => {
  const { given, user } = await show(question("failure"));
  await user.click(press("Skip T2…"));
  expect(given()).toEqual([]);
  await user.type(screen.getByLabelText(/Reason for skipping T2/), "Not needed");
  await user.click(press("Skip T2"));
  await waitFor(() => expect(given()).toEqual([{ answer: "skip", reason: "Not needed" }]));
});

test("a failure shows the end of the output and can be retried", async () => {
  const { given, user } = await show(question("failure"), {
    run_step: () => ({
      ...step,
      state: "failed",
      actions: [
        {
          kind: "check",
          tool: "run_command",
          title: "python3 -m unittest",
          summary: "exit 1",
          ok: false,
          exit_code: 1,
          output: "\u001b[31mFAILED\u001b[0m (errors=1)\n",
          elapsed_ms: 10,
          recovered: false,
          flaky: false,
        },
      ],
    }),
  });
  expect((await screen.findByLabelText("Last lines of output")).textContent).toBe(
    "FAILED (errors=1)",
  );
  await user.click(press("Retry T2"));
  await waitFor(() => expect(given()).toEqual([{ answer: "retry" }]));
});

test("a blocked step runs only with a reason", async () => {
  const { given, user } = await show(question("gate"));
  await user.click(press("Run T2 anyway"));
  expect(given()).toEqual([]);
  await user.type(screen.getByLabelText(/Reason for override/), "Checked by hand");
  await user.click(press("Run T2 anyway"));
  await waitFor(() => expect(given()).toEqual([{ answer: "reason", text: "Checked by hand" }]));
});

test("a person's step is marked as done with a note", async () => {
  const { given, user } = await show(question("person"));
  await user.type(screen.getByLabelText(/Note/), "Signed");
  await user.click(press("Mark as done"));
  await waitFor(() => expect(given()).toEqual([{ answer: "done", note: "Signed" }]));
});

test("an unknown outcome can be checked, retried or skipped, each with its effect", async () => {
  const { given, user } = await show(question("unknown"));
  const answers = screen.getByRole("list", { name: "Answers" });
  expect(within(answers).getAllByRole("button")).toHaveLength(3);
  await user.click(press(/Check · Finds out what happened/));
  await waitFor(() => expect(given()).toEqual([{ answer: "check" }]));
});

test("a question of a run in another process can't be answered here", async () => {
  const { given, user } = await show(permission, {}, "Answer it there.");
  expect(screen.getByText("Answer it there.")).toBeTruthy();
  await user.click(press("Allow once"));
  expect(given()).toEqual([]);
});

test("a new command is a new card, and its button is disarmed at first", async () => {
  const { view, given, user } = await show(permission);
  const other: RunQuestion = {
    ...permission,
    permission: permission.permission && { ...permission.permission, subject: "rm -rf build" },
  };
  act(() => view.rerender(<QuestionCard question={other} plan={planPath} />));
  await user.click(press("Allow once"));
  expect(given()).toEqual([]);
  expect(screen.getByLabelText("Full command").textContent).toBe("rm -rf build");
});

test("after a backend error the card can be answered again", async () => {
  let refuses = true;
  const { given, user } = await show(permission, {
    answer: () => {
      if (refuses) throw { code: "failed", message: "the run has moved on" };
      return null;
    },
  });
  await user.click(press("Allow once"));
  await waitFor(() => expect(given()).toHaveLength(1));
  refuses = false;
  await user.click(press("Allow once"));
  await waitFor(() => expect(given()).toHaveLength(2));
});
