/** Ways out of the app: the user's editor, links, and the exported page. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileChange } from "../src/api/bindings";
import { availableActions, listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace, setPlace } from "../src/app/place";
import { Bar } from "../src/features/bar/Bar";
import ChangesPanel from "../src/features/changes/ChangesPanel";
import FindingsTab from "../src/features/findings/Findings";
import { PlanHead } from "../src/features/outline/PlanHead";
import { planLink } from "../src/features/share/planLink";
import SharePart from "../src/features/share/SharePart";
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
import { runId, runView } from "./run.fixtures";

const nothing = () => undefined;
const opened = { workspace: workspacePath, path: "plans/add-json-flag.md" };
let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  toasts.set([]);
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", task: "T2" },
    nothing,
  );
});
afterEach(() => stop());

async function show(more: Answers = {}, shown = outline) {
  const backend = await startBackend({
    outline: () => shown,
    task: () => ({ line: 14 }),
    open_in_editor: () => null,
    ...more,
  });
  render(
    <>
      <PlanHead outline={shown} isOpen={false} onOpen={nothing} onUndo={nothing} onRedo={nothing} />
      <SharePart />
      <Bar />
    </>,
    backend,
  );
  await screen.findByText(/revision 9b41c07ade12/);
  return { backend, user: userEvent.setup() };
}

test("the plan opens in the editor at the selected step, by button and by key", async () => {
  const { backend, user } = await show();
  await user.click(screen.getByRole("button", { name: "Open in editor" }));
  await waitFor(() => expect(backend.callsOf("open_in_editor")).toEqual([{ ...opened, line: 14 }]));
  expect(backend.callsOf("task")).toEqual([{ plan: planPath, revision, task: "T2" }]);
  act(() => setPlace({ task: null }));
  await user.keyboard("ge");
  await waitFor(() => expect(backend.callsOf("open_in_editor")).toHaveLength(2));
  expect(backend.callsOf("open_in_editor")[1]).toEqual({ ...opened, line: null });
});

test("a missing step opens the start of the plan, and an error is shown", async () => {
  const { backend, user } = await show({
    task: () => {
      throw refusal("usage", "the plan has no task T2");
    },
    open_in_editor: () => {
      throw refusal("usage", "VS Code (`code`) wasn't found. Choose another editor in Settings.");
    },
  });
  await user.click(screen.getByRole("button", { name: "Open in editor" }));
  await waitFor(() =>
    expect(toasts.get().at(-1)).toMatchObject({
      tone: "bad",
      title: "Couldn’t open the editor",
      message: "VS Code (`code`) wasn't found. Choose another editor in Settings.",
    }),
  );
  expect(backend.callsOf("open_in_editor")).toEqual([{ ...opened, line: null }]);
});

test("a plan outside the workspace has a link but can't be opened in the editor", async () => {
  await show({}, { ...outline, is_foreign: true });
  expect(screen.queryByRole("button", { name: "Open in editor" })).toBeNull();
  const ids = availableActions().map(({ id }) => id);
  expect(ids).not.toContain("plan.editor");
  expect(ids).toContain("plan.link");
});

test("a link contains the plan and an optional step; special characters are escaped", async () => {
  const { user } = await show();
  const plain = `planwright://open?path=${encodeURIComponent(planPath)}`;
  await user.keyboard("yl");
  await waitFor(() => expect(toasts.get().at(-1)).toMatchObject({ title: "Link copied" }));
  expect(await navigator.clipboard.readText()).toBe(plain);
  await user.keyboard("ys");
  await waitFor(() => expect(toasts.get().at(-1)).toMatchObject({ title: "Link to T2 copied" }));
  expect(await navigator.clipboard.readText()).toBe(`${plain}&step=T2`);
  const odd = new URL(planLink("/a b&c=d+e#f%20/ü.md", "T 1&+"));
  expect([...odd.searchParams]).toEqual([
    ["path", "/a b&c=d+e#f%20/ü.md"],
    ["step", "T 1&+"],
  ]);
});

test("without a selected step there is no link to a step", async () => {
  await show();
  act(() => setPlace({ task: null }));
  expect(availableActions().some(({ id }) => id === "step.link")).toBe(false);
});

test("the export asks for a file and shows which one it wrote", async () => {
  const answers = [null, "/home/me/plan.html"];
  const { backend, user } = await show({ export_html: () => answers.shift() ?? null });
  await user.keyboard("px");
  await waitFor(() =>
    expect(backend.callsOf("export_html")).toEqual([{ plan: planPath, revision }]),
  );
  expect(toasts.get()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: /Export as HTML…/ }));
  await waitFor(() =>
    expect(toasts.get().at(-1)).toMatchObject({
      tone: "good",
      title: "Plan exported",
      message: "/home/me/plan.html",
    }),
  );
});

test("a finding's line opens in the editor, by its button and by o", async () => {
  const finding = {
    id: "a",
    code: "vague_phrase",
    severity: "major",
    task: "T5",
    line: 40,
    message: "“clean up” is vague",
    question: null,
    fixes: [],
    muted: null,
  };
  const backend = await startBackend({
    outline: () => ({ ...outline, is_writable: false }),
    findings: () => ({
      revision,
      badge: outline.badge,
      summary: [],
      reason_codes: [],
      findings: [finding],
      more: 0,
      dimensions: [],
      missing: null,
      reasons: [],
    }),
    open_in_editor: () => null,
  });
  render(<FindingsTab />, backend);
  const user = userEvent.setup();
  const row = (await screen.findByText("“clean up” is vague")).closest("li") as HTMLElement;
  await user.click(
    within(row).getByRole("button", { name: "Open in your editor: “clean up” is vague" }),
  );
  await waitFor(() => expect(backend.callsOf("open_in_editor")).toEqual([{ ...opened, line: 40 }]));
  act(() => row.querySelector<HTMLElement>("[data-main]")?.focus());
  await user.keyboard("o");
  await waitFor(() => expect(backend.callsOf("open_in_editor")).toHaveLength(2));
});

test("a changed file opens at its first change; a deleted one can't be opened", async () => {
  const file = (path: string, kind: string): FileChange => ({
    path,
    kind,
    added: 1,
    removed: 1,
    is_text: true,
    is_undone: false,
    can_undo: true,
  });
  const backend = await startBackend({
    run: () => runView({ run: runId }),
    runs_of: () => [runView({ run: runId })],
    outline: () => ({ ...outline, run: runId }),
    changes: () => ({
      run: runId,
      task: null,
      files: [file("src/cli.py", "changed"), file("old.py", "removed")],
      count: 2,
      ignored: [],
      before: "Clean.",
    }),
    file_diff: () => ({
      lines: [
        { kind: "same", old: 7, new: 7, text: "a" },
        { kind: "removed", old: 8, new: null, text: "b" },
        { kind: "added", old: null, new: 8, text: "c" },
      ],
      is_cut: false,
    }),
    open_in_editor: () => null,
  });
  setPlace({ run: runId });
  render(<ChangesPanel />, backend);
  const user = userEvent.setup();
  await screen.findAllByRole("group", { name: /Changes to/ }).catch(() => undefined);
  await user.click(await screen.findByRole("button", { name: "Open src/cli.py in your editor" }));
  await waitFor(() =>
    expect(backend.callsOf("open_in_editor")).toEqual([
      { workspace: workspacePath, path: "src/cli.py", line: 8 },
    ]),
  );
  expect(screen.queryByRole("button", { name: "Open old.py in your editor" })).toBeNull();
});
