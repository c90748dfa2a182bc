/** Review: comments by step with their quotes, drafts saved while typing; comments can be applied and resolved, and stay visible. */
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { Comment } from "../src/api/bindings";
import { nowhere, restorePlace } from "../src/app/place";
import { commentTarget } from "../src/features/review/commentTarget";
import ReviewPanel, { byTask } from "../src/features/review/ReviewPanel";
import {
  type Answers,
  outline,
  planPath,
  revision,
  start,
  startBackend,
  workspacePath,
} from "./backend";

const said: Comment = {
  id: 1,
  kind: "comment",
  task: "T2",
  task_title: "Add a --json flag",
  revision,
  quote: null,
  anchor: "here",
  text: "Say which module",
  at_ms: 0,
  is_sent: false,
  is_resolved: false,
};

beforeEach(() => {
  commentTarget.set(null);
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", task: "T2" },
    () => {},
  );
});

async function show(comments: Comment[], more: Answers = {}) {
  const backend = await startBackend({
    start: () => start,
    outline: () => outline,
    comments: () => comments,
    drafts: () => [],
    save_draft: () => null,
    add_comment: () => said,
    resolve_comment: () => null,
    accept_comment: () => ({ outcome: "written", revision, task: null, merged: false }),
    ...more,
  });
  render(<ReviewPanel />, backend);
  return { backend, user: userEvent.setup() };
}

test("Enter adds a comment to the selected step, Shift+Enter inserts a line break", async () => {
  const { backend, user } = await show([]);
  const field = await screen.findByLabelText("Comment on T2");
  await user.type(field, "Off by default{Shift>}{Enter}{/Shift}please{Enter}");
  await waitFor(() =>
    expect(backend.callsOf("add_comment")).toEqual([
      {
        plan: planPath,
        revision,
        place: { task: "T2", quote: null, before: null },
        kind: "comment",
        text: "Off by default\nplease",
      },
    ]),
  );
  expect(backend.callsOf("save_draft").some((args) => args.key === "comment/T2")).toBe(true);
});

test("a selection becomes the comment's quote, and Replace prefills its text", async () => {
  const { backend, user } = await show([]);
  const field = await screen.findByLabelText("Comment on T2");
  commentTarget.set({
    task: "T2",
    quote: "json flag",
    before: "Add a ",
    kind: "replace",
    count: 1,
  });
  const words = await screen.findByLabelText("Replacement text");
  expect((words as HTMLTextAreaElement).value).toBe("json flag");
  expect(words).toBe(field);
  await user.clear(words);
  await user.type(words, "json option{Enter}");
  await waitFor(() =>
    expect(backend.callsOf("add_comment")[0]).toMatchObject({
      place: { task: "T2", quote: "json flag", before: "Add a " },
      kind: "replace",
      text: "json option",
    }),
  );
});

test("a replacement is applied in one click, and a comment resolved in one", async () => {
  const replace = { ...said, id: 7, kind: "replace", quote: "a flag", text: "an option" };
  const { backend, user } = await show([replace]);
  await user.click(await screen.findByRole("button", { name: "Replace now" }));
  await waitFor(() =>
    expect(backend.callsOf("accept_comment")).toEqual([{ plan: planPath, revision, id: 7 }]),
  );
  await user.click(screen.getByRole("button", { name: "Resolve" }));
  expect(backend.callsOf("resolve_comment")).toEqual([{ plan: planPath, id: 7, resolved: true }]);
});

test("a quote that is no longer in the plan is kept but can't be replaced", async () => {
  await show([{ ...said, kind: "replace", quote: "old words", anchor: "lost" }]);
  expect(await screen.findByText("text no longer in the plan")).toBeTruthy();
  expect(screen.getByText("old words")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Replace now" })).toBeNull();
});

test("resolved comments are hidden, and comments on the whole plan come first", () => {
  const whole = { ...said, id: 2, task: null, task_title: null };
  const settled = { ...said, id: 3, task: "T9", is_resolved: true };
  expect(byTask([said, whole, settled], false).map((group) => group.key)).toEqual(["", "T2"]);
  expect(byTask([said, whole, settled], true).map((group) => group.key)).toEqual(["", "T2", "T9"]);
});

test("the field is empty after Enter, even if drafts are read before the old one is deleted", async () => {
  let kept = "";
  const { backend, user } = await show([], {
    drafts: () => [{ key: "comment/T2", text: "Say which module", revision, at_ms: 1 }],
    // The backend deletes the draft later.
    save_draft: ({ text }) => {
      kept = String(text);
      return new Promise(() => {});
    },
  });
  const field = await screen.findByDisplayValue<HTMLTextAreaElement>("Say which module");
  await user.type(field, "{Enter}");
  await waitFor(() => expect(backend.callsOf("add_comment")).toHaveLength(1));
  await backend.send({ kind: "review", plan: planPath });
  await backend.send({ kind: "moved", plan: "/before.md", to: planPath });
  await waitFor(() => expect(backend.callsOf("drafts").length).toBeGreaterThan(1));
  await waitFor(() => expect(backend.callsOf("comments").length).toBeGreaterThan(1));
  expect(kept).toBe("");
  expect(field.value).toBe("");
});

test("two quick Enters add one comment; on failure its text is restored before the text typed since", async () => {
  let refuse: () => void = () => {};
  const { backend, user } = await show([], {
    add_comment: () =>
      new Promise((_, reject) => (refuse = () => reject({ code: "failed", message: "disk full" }))),
  });
  const field = await screen.findByLabelText<HTMLTextAreaElement>("Comment on T2");
  await user.type(field, "Say which module");
  act(() => {
    fireEvent.keyDown(field, { key: "Enter" });
    fireEvent.keyDown(field, { key: "Enter" });
  });
  expect(field.value).toBe("");
  await user.type(field, "And why");
  await waitFor(() => expect(backend.callsOf("add_comment")).toHaveLength(1));
  await act(async () => refuse());
  await waitFor(() => expect(field.value).toBe("Say which module\nAnd why"));
});
