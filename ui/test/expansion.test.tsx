/** Expansion: every change is previewed, selecting one selects what it needs, the score follows the selection, and the result is one edit. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type {
  ExpansionChange,
  ExpansionPreview,
  ExpansionView,
  Standing,
} from "../src/api/bindings";
import { nowhere, restorePlace } from "../src/app/place";
import { deafMs } from "../src/components/ConfirmDialog";
import { Bar } from "../src/features/bar/Bar";
import { verbs } from "../src/features/bar/verbs";
import { choose } from "../src/features/expansion/choice";
import ExpandPart from "../src/features/expansion/ExpandPart";
import { closeExpansion, openExpansion } from "../src/features/expansion/open";
import { toasts } from "../src/lib/toast";
import {
  type Answers,
  outline,
  planPath,
  refusal,
  revision,
  startBackend,
  workspacePath,
} from "./backend";

vi.setConfig({ testTimeout: 20_000 });

function standing(score: number, tasks: number): Standing {
  const word = score < 58 ? "thin" : "fair";
  return {
    badge: { word, score, findings: 1, critical: 0 },
    is_too_thin: score < 58,
    risk: 40 - tasks,
    tasks,
  };
}

function change(id: string, more: Partial<ExpansionChange> = {}): ExpansionChange {
  return {
    id,
    kind: "added",
    task: null,
    title: `Step ${id}`,
    why: ["too_few_tasks"],
    message: `Adds ${id}.`,
    diff: [{ kind: "added", old: null, new: 9, text: `- [ ] Step ${id}` }],
    needs: [],
    ...more,
  };
}

const changes = [
  change("+1"),
  change("+2", { needs: ["+1"] }),
  change("+3", { needs: ["+2"] }),
  change("T3", { kind: "changed", task: "T3", title: "Print rows", why: [] }),
];

const view: ExpansionView = {
  plan: planPath,
  revision,
  stopped_because: "It stopped because the plan is adequate now.",
  before: standing(42, 3),
  after: standing(80, 6),
  improved: true,
  rounds: [
    {
      number: 1,
      is_accepted: true,
      message: "Three steps were added.",
      before: standing(42, 3),
      after: standing(80, 6),
    },
    {
      number: 2,
      is_accepted: false,
      message: "A step was lost.",
      before: standing(80, 6),
      after: standing(70, 5),
    },
  ],
  changes,
};

const thin = { ...outline, badge: { word: "thin", score: 42, findings: 3, critical: 0 } };

beforeEach(() => {
  toasts.set([]);
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});
afterEach(() => act(closeExpansion));

async function show(more: Answers = {}) {
  const backend = await startBackend({
    outline: () => thin,
    expand: () => view,
    preview_expansion: ({ chosen }): ExpansionPreview => ({
      diff: [],
      tasks: 3 + (chosen as string[]).length,
      after: standing(42 + 10 * (chosen as string[]).length, 3 + (chosen as string[]).length),
    }),
    apply_expansion: () => ({
      outcome: "written",
      revision: "f".repeat(64),
      task: null,
      merged: false,
    }),
    cancel_expansion: () => null,
    undo_edit: () => ({ outcome: "unchanged", revision }),
    ...more,
  });
  render(
    <>
      <ExpandPart />
      <Bar />
    </>,
    backend,
  );
  return { backend, user: userEvent.setup() };
}

async function open(more: Answers = {}) {
  const shown = await show(more);
  await shown.user.click(await screen.findByRole("button", { name: "Expand…" }));
  return { ...shown, dialog: await screen.findByRole("dialog", { name: "Expand the plan" }) };
}

const wait = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)));

test("selecting a change selects what it needs; deselecting deselects what depends on it", () => {
  expect(choose([], "+3", true, changes)).toEqual(["+1", "+2", "+3"]);
  expect(choose(["+1", "+2", "+3", "T3"], "+1", false, changes)).toEqual(["T3"]);
  expect(choose(["T3", "+1", "+2"], "+2", false, changes)).toEqual(["+1", "T3"]);
  // Changes that need each other are selected and deselected together.
  const both = [change("+1", { needs: ["+2"] }), change("+2", { needs: ["+1"] })];
  expect(choose([], "+1", true, both)).toEqual(["+1", "+2"]);
  expect(choose(["+1", "+2"], "+2", false, both)).toEqual([]);
});

test("expansion is next to the primary button for an insufficient plan, otherwise in the menu", async () => {
  const { backend } = await show();
  const rank = () => verbs.get().find(({ id }) => id === "plan.expand")?.rank;
  await waitFor(() => expect(rank()).toBe("beside"));
  backend.answers.outline = () => outline;
  await backend.send({ kind: "plan", plan: planPath, revision, author: "person" });
  await waitFor(() => expect(rank()).toBe(36));
});

test("the dialog shows scores before and after, the reason for stopping, and each change with its findings", async () => {
  const { user, dialog } = await open();
  expect(await within(dialog).findByText("Thin · 42")).toBeDefined();
  expect(await within(dialog).findByText("Fair · 82")).toBeDefined();
  expect(within(dialog).getByText(view.stopped_because)).toBeDefined();
  await user.click(within(dialog).getByText("2 rounds, 1 rejected"));
  expect(within(dialog).getByText("A step was lost.")).toBeDefined();
  expect(within(dialog).getAllByRole("checkbox")).toHaveLength(4);
  expect(within(dialog).getAllByText("too_few_tasks")).toHaveLength(3);
  expect(within(dialog).getByText(/needs \+1/)).toBeDefined();
});

test("the score follows the selection, and one edit applies exactly the selected changes", async () => {
  const { user, dialog, backend } = await open();
  await user.click(await within(dialog).findByRole("checkbox", { name: /Step \+2/ }));
  const add = within(dialog).getByRole("button", { name: "Add 2 of 4 changes" });
  expect(await within(dialog).findByText("Fair · 62")).toBeDefined();
  await wait(deafMs + 100);
  await user.click(add);
  await waitFor(() =>
    expect(backend.callsOf("apply_expansion")).toEqual([
      { plan: planPath, revision, chosen: ["+1", "T3"] },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(toasts.get().at(-1)).toMatchObject({
    title: "Expanded: 2 changes",
    action: { label: "Undo" },
  });
});

test("with nothing selected there is nothing to add", async () => {
  const { user, dialog, backend } = await open();
  await user.click(await within(dialog).findByRole("button", { name: "Deselect all" }));
  expect(within(dialog).getByText("Select a change.")).toBeDefined();
  await wait(deafMs + 100);
  await user.click(within(dialog).getByRole("button", { name: "Add changes" }));
  expect(backend.callsOf("apply_expansion")).toEqual([]);
});

test("a plan that changed in the meantime must be refreshed before adding anything", async () => {
  const { user, dialog, backend } = await open();
  await within(dialog).findByText("Thin · 42");
  const next = "e".repeat(64);
  backend.answers.outline = () => ({ ...thin, revision: next });
  await backend.send({ kind: "plan", plan: planPath, revision: next, author: "outside" });
  expect(await within(dialog).findByRole("alert")).toBeDefined();
  await wait(deafMs + 100);
  await user.click(within(dialog).getByRole("button", { name: "Add all 4 changes" }));
  expect(backend.callsOf("apply_expansion")).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(backend.callsOf("expand").at(-1)).toMatchObject({ revision: next }));
  await waitFor(() => expect(within(dialog).queryByRole("alert")).toBeNull());
});

test("an expansion in progress can be stopped and writes nothing", async () => {
  const { user, dialog, backend } = await open({ expand: () => new Promise(() => {}) });
  expect(within(dialog).getByText("Looking for what’s missing")).toBeDefined();
  await user.click(within(dialog).getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(backend.callsOf("cancel_expansion")).toEqual([{ plan: planPath }]);
  expect(backend.callsOf("apply_expansion")).toEqual([]);
});

test("with nothing to expand the dialog says why", async () => {
  const { dialog } = await open({
    expand: () => ({ ...view, changes: [], rounds: [], stopped_because: "It is adequate." }),
  });
  expect(await within(dialog).findByText("Nothing to expand")).toBeDefined();
  expect(within(dialog).getByText("It is adequate.")).toBeDefined();
});

test("an error is shown in the dialog, with Retry", async () => {
  const { dialog } = await open({
    expand: () => {
      throw refusal("usage", "Expansion is off: loop_mode is off in Settings.");
    },
  });
  expect(await within(dialog).findByText(/Expansion is off/)).toBeDefined();
  expect(within(dialog).getByRole("button", { name: "Retry" })).toBeDefined();
});

test("the dialog can be opened from anywhere and closes when the plan changes", async () => {
  await show();
  await screen.findByRole("button", { name: "Expand…" });
  act(openExpansion);
  expect(await screen.findByRole("dialog", { name: "Expand the plan" })).toBeDefined();
  act(() =>
    restorePlace(
      { ...nowhere, workspace: workspacePath, plan: `${planPath}2`, screen: "plan" },
      () => {},
    ),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
