/** The findings panel: remembers grouping and filter, works by keyboard, previews every fix, lists muted findings with their reasons, and explains the score. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FindingsReport, WindowFinding } from "../src/api/bindings";
import { availableActions, listenForKeys, registerActions } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { deafMs } from "../src/components/ConfirmDialog";
import FindingsTab from "../src/features/findings/Findings";
import { grouped, setFilter, setGrouping } from "../src/features/findings/view";
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

function finding(id: string, more: Partial<WindowFinding> = {}): WindowFinding {
  return {
    id,
    code: "vague_phrase",
    severity: "major",
    task: "T5",
    line: 40,
    message: `Found ${id}`,
    question: null,
    fixes: [],
    muted: null,
    ...more,
  };
}

const asked = finding("a", {
  message: "“clean up” does not say what to change",
  question: "What should be cleaned up?",
  fixes: ["Name docs/usage.md: T5 changes that file", "Delete T5: nothing depends on it"],
});
const whole = finding("b", {
  task: null,
  line: 1,
  code: "too_few_tasks",
  severity: "critical",
  message: "3 steps where 6 are expected",
});
const small = finding("c", {
  task: "T2",
  line: 20,
  severity: "minor",
  code: "filler_task",
  message: "T2 fits any plan",
  fixes: ["Delete T2"],
});
const quiet = finding("d", {
  task: "T6",
  message: "T6 names no check",
  muted: "Signed off by hand",
});

const report: FindingsReport = {
  revision,
  badge: { word: "fair", score: 72, findings: 3, critical: 1 },
  summary: ["3 steps, at least 6 expected", "risk 12 of 100"],
  reason_codes: ["too_few_tasks"],
  findings: [whole, asked, small, quiet],
  more: 0,
  dimensions: [
    {
      name: "coverage",
      share: null,
      credited: "No goal says what the plan has to do.",
      missing: null,
    },
    {
      name: "substance",
      share: 64,
      credited: "Specific steps, which name files, identifiers or values: 2 of 3.",
      missing: { line: 14, message: "Line 14 says the least.", points: 9 },
    },
  ],
  missing: { line: 14, message: "Line 14 says the least.", points: 9 },
  reasons: [
    {
      code: "too_few_tasks",
      points: 28,
      message: "3 steps where 6 are expected.",
    },
    {
      code: "uncovered_goal",
      points: 0,
      message: "Parts of the goal without a step: 1 of 2.",
    },
  ],
};

const written = { outcome: "written", revision: "f".repeat(64), task: null, merged: false };
let stopKeys = () => {};

beforeEach(() => {
  localStorage.clear();
  setGrouping("severity");
  setFilter(planPath, { severities: [], task: null, words: "" });
  toasts.set([]);
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", panel: "findings" },
    () => {},
  );
  stopKeys = listenForKeys();
});
afterEach(() => stopKeys());

async function show(more: Answers = {}) {
  const backend = await startBackend({
    outline: () => outline,
    findings: () => report,
    preview_fix: ({ option }) => ({
      label: asked.fixes[Number(option)],
      revision,
      diff: [{ kind: "added", old: null, new: 42, text: `  - changed by option ${option}` }],
    }),
    apply_fix: () => written,
    mute: () => written,
    unmute: () => written,
    undo_edit: () => written,
    ...more,
  });
  render(<FindingsTab />, backend);
  return { backend, user: userEvent.setup() };
}

const panel = () => screen.findByRole("region", { name: "Findings" });
const wait = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)));
const focused = () => document.activeElement?.closest<HTMLElement>("li")?.dataset.finding;

test("findings are grouped by severity, by step in plan order, or by kind; muted ones are in no group", () => {
  const all = { severities: [], task: null, words: "" };
  const titles = (by: "severity" | "task" | "code") =>
    grouped(report.findings, by, all).map((group) => group.title);
  expect(titles("severity")).toEqual(["Critical", "Major", "Minor"]);
  expect(titles("task")).toEqual(["Whole plan", "T2", "T5"]);
  expect(titles("code")).toEqual(["Too few tasks", "Vague phrase", "Filler task"]);
});

test("text, severity and step filter the findings, and the remaining count is shown", async () => {
  const { user } = await show();
  await user.type(await screen.findByRole("textbox", { name: /Filter findings/ }), "usage.md");
  expect(screen.getByText("1 of 3 shown")).toBeDefined();
  expect(screen.queryByText("T2 fits any plan")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show all findings" }));
  await user.click(screen.getByRole("button", { name: "Minor" }));
  expect(screen.getByText("T2 fits any plan")).toBeDefined();
  expect(screen.queryByText(asked.message)).toBeNull();
  await user.selectOptions(
    screen.getByRole("combobox", { name: "Filter findings by step" }),
    "plan",
  );
  expect(screen.getByText("No findings match the filter")).toBeDefined();
  // The filter is saved in the window's storage, by plan.
  const kept = JSON.parse(localStorage.getItem("planwright.findings") ?? "{}");
  expect(kept.filters[planPath]).toMatchObject({ severities: ["minor"], task: "plan" });
});

test("j and k select findings, Enter shows the step, f fixes, Shift+F previews and m mutes", async () => {
  const { user, backend } = await show();
  const region = await panel();
  await within(region).findByText(whole.message);
  act(() => region.querySelector<HTMLElement>("[data-main]")?.focus());
  expect(focused()).toBe("b");
  await user.keyboard("j");
  expect(focused()).toBe("a");
  await user.keyboard("{ArrowDown}");
  expect(focused()).toBe("c");
  await user.keyboard("k");
  expect(focused()).toBe("a");
  await user.keyboard("{Enter}");
  expect(getPlace().task).toBe("T5");
  await user.keyboard("{Shift>}F{/Shift}");
  expect(await screen.findByRole("dialog", { name: asked.fixes[0] })).toBeDefined();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  act(() => region.querySelector<HTMLElement>('[data-finding="a"] [data-main]')?.focus());
  await user.keyboard("f");
  await waitFor(() =>
    expect(backend.callsOf("apply_fix")).toEqual([
      { plan: planPath, revision, finding: "a", option: 0 },
    ]),
  );
  expect(screen.queryByRole("dialog")).toBeNull();
  act(() => region.querySelector<HTMLElement>('[data-finding="a"] [data-main]')?.focus());
  await user.keyboard("m");
  expect(await screen.findByRole("dialog", { name: "Mute this finding" })).toBeDefined();
});

test("the single-letter keys work only in the findings and not as the end of a chord", async () => {
  const { user, backend } = await show();
  const region = await panel();
  await within(region).findByText(whole.message);
  const ids = () => availableActions().map(({ id }) => id);
  expect(ids()).not.toContain("findings.f");
  act(() => region.querySelector<HTMLElement>('[data-finding="a"] [data-main]')?.focus());
  expect(ids()).toContain("findings.f");
  const went = vi.fn();
  const forget = registerActions([
    { id: "panel.findings", title: "Show Findings", group: "go", keys: "g f", run: went },
  ]);
  await user.keyboard("gf");
  expect(went).toHaveBeenCalledOnce();
  expect(screen.queryByRole("dialog")).toBeNull();
  forget();
  // Enter on a button of the finding presses that button.
  act(() => region.querySelector<HTMLElement>('[data-finding="a"] ul button')?.focus());
  expect(ids()).not.toContain("findings.Enter");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(backend.callsOf("apply_fix")).toHaveLength(1));
});

test("a finding about the whole plan links to its line in the source", async () => {
  const { user } = await show();
  await user.click(await screen.findByText(whole.message));
  expect(getPlace().view).toBe("source");
});

test("each fix shows its effect and is applied in one click", async () => {
  const { user, backend } = await show();
  await user.click(await screen.findByRole("button", { name: asked.fixes[1] }));
  await waitFor(() =>
    expect(backend.callsOf("apply_fix")).toEqual([
      { plan: planPath, revision, finding: "a", option: 1 },
    ]),
  );
  await waitFor(() => expect(toasts.get().at(-1)?.title).toBe(`Applied: ${asked.fixes[1]}`));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a fix that changes many lines is previewed first", async () => {
  const { user, backend } = await show({
    preview_fix: () => ({
      label: small.fixes[0],
      revision,
      diff: Array.from({ length: 7 }, (_, at) => ({
        kind: "removed",
        old: at + 1,
        new: null,
        text: `line ${at}`,
      })),
    }),
  });
  await user.click(await screen.findByRole("button", { name: `Fix: ${small.fixes[0]}` }));
  const dialog = await screen.findByRole("dialog", { name: small.fixes[0] });
  expect(await within(dialog).findByText("line 6")).toBeDefined();
  expect(backend.callsOf("apply_fix")).toEqual([]);
});

test("a fix without a preview says why in the dialog, and isn't applied", async () => {
  const { user, backend } = await show({
    preview_fix: () => {
      throw refusal("failed", "The finding is gone.");
    },
  });
  await user.click(await screen.findByRole("button", { name: `Fix: ${small.fixes[0]}` }));
  expect(await screen.findByText("The finding is gone.")).toBeDefined();
  expect(backend.callsOf("apply_fix")).toEqual([]);
});

test("the preview offers each fix and applies the chosen one", async () => {
  const { user, backend } = await show();
  await user.click(
    await screen.findByRole("button", { name: `Preview the fixes: ${asked.message}` }),
  );
  await user.click(await screen.findByRole("radio", { name: asked.fixes[1] }));
  const dialog = await screen.findByRole("dialog", { name: asked.fixes[1] });
  expect(await within(dialog).findByText(/changed by option 1/)).toBeDefined();
  // The dialog previews the other fixes too; the recommended one is first.
  const first = within(dialog).getByRole("radio", { name: /Name docs.*recommended/ });
  await user.click(first);
  expect(await within(dialog).findByText(/changed by option 0/)).toBeDefined();
  await wait(deafMs + 100);
  await user.click(within(dialog).getByRole("button", { name: "Apply" }));
  await waitFor(() =>
    expect(backend.callsOf("apply_fix")).toEqual([
      { plan: planPath, revision, finding: "a", option: 0 },
    ]),
  );
  await waitFor(() => expect(toasts.get().at(-1)?.action?.label).toBe("Undo"));
});

test("muting requires a reason, says where it is saved and that the score is unchanged, and can be undone", async () => {
  const { user, backend } = await show();
  await user.click(
    await screen.findByRole("button", { name: `Mute with a reason: ${small.message}` }),
  );
  const dialog = await screen.findByRole("dialog", { name: "Mute this finding" });
  const field = within(dialog).getByRole("textbox", { name: /Reason/ });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(dialog.textContent).toContain("mute: filler_task");
  expect(dialog.textContent).toContain("The score doesn’t change");
  await wait(deafMs + 100);
  const confirm = within(dialog).getByRole("button", { name: "Mute" });
  await user.click(confirm);
  await user.type(field, "   ");
  await user.click(confirm);
  expect(backend.callsOf("mute")).toEqual([]);
  await user.type(field, "It reads well{Enter}as it is");
  await user.click(confirm);
  await waitFor(() =>
    expect(backend.callsOf("mute")).toEqual([
      { plan: planPath, revision, finding: "c", reason: "It reads well as it is" },
    ]),
  );
  await waitFor(() => expect(toasts.get().at(-1)?.action?.label).toBe("Undo"));
});

test("a reason that failed to save is kept", async () => {
  const { user } = await show({
    mute: () => {
      throw refusal("workspace", "The disk is full.");
    },
  });
  const open = () =>
    user.click(screen.getByRole("button", { name: `Mute with a reason: ${small.message}` }));
  await panel();
  await screen.findByText(small.message);
  await open();
  await user.type(await screen.findByRole("textbox", { name: /Reason/ }), "Known");
  await wait(deafMs + 100);
  await user.click(screen.getByRole("button", { name: "Mute" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await open();
  expect(await screen.findByDisplayValue("Known")).toBeDefined();
});

test("muted findings are collapsed with their reasons and can be unmuted", async () => {
  const { user, backend } = await show();
  const summary = await screen.findByText("1 muted");
  expect(summary.closest("details")?.open).toBe(false);
  await user.click(summary);
  expect(screen.getByText("Signed off by hand")).toBeDefined();
  await user.click(screen.getByRole("button", { name: `Unmute: ${quiet.message}` }));
  await waitFor(() =>
    expect(backend.callsOf("unmute")).toEqual([{ plan: planPath, revision, finding: "d" }]),
  );
});

test("the score lists its terms, the largest possible gain and the deductions", async () => {
  const { user } = await show();
  expect((await screen.findByText("Substance")).parentElement?.textContent).toBe("Substance64");
  expect(screen.getByText("unknown")).toBeDefined();
  expect(screen.getByText("Biggest gain, 9 points:")).toBeDefined();
  await user.click(screen.getByText("Why 72?"));
  expect(
    screen.getByText("Specific steps, which name files, identifiers or values: 2 of 3."),
  ).toBeDefined();
  const took = screen.getByRole("list", { name: "Deductions" });
  expect(took.textContent).toBe("−28%3 steps where 6 are expected.");
  expect(screen.getByText(/risk 12 of 100/)).toBeDefined();
  await user.click(
    screen.getAllByRole("button", { name: "Line 14 says the least." })[0] as Element,
  );
  expect(getPlace().view).toBe("source");
});

test("a read-only plan offers no changes", async () => {
  await show({ outline: () => ({ ...outline, is_writable: false }) });
  await screen.findByText(small.message);
  expect(
    screen.queryByRole("button", { name: /^(Fix|Mute with|Unmute|Delete|Expand)/ }),
  ).toBeNull();
});
