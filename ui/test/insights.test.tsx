/** Insights: the plot works by keyboard and links to the History, every number is also text, and an empty screen says how to get data. */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { InsightPoint, Insights } from "../src/api/bindings";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { versionRequest } from "../src/features/history/showVersion";
import InsightsScreen from "../src/features/insights/InsightsScreen";
import { type Box, nearest, seriesOf, xOf, yOf } from "../src/features/insights/plot";
import { type Answers, planPath, refusal, startBackend, summary, workspacePath } from "./backend";

const other = `${workspacePath}/plans/other.md`;

function point(at: number, more: Partial<InsightPoint> = {}): InsightPoint {
  return {
    plan: planPath,
    path: "plans/add-json-flag.md",
    revision: String(at).repeat(64).slice(0, 64),
    at_ms: at * 60_000,
    author: "person",
    score: 40 + 10 * at,
    risk: 30 - at,
    tasks: 3 + at,
    badge: at < 2 ? "thin" : "fair",
    is_too_thin: at < 2,
    ...more,
  };
}

const data: Insights = {
  points: [point(1), point(2), point(3, { plan: other, path: "plans/other.md" }), point(4)],
  expansions: [
    {
      plan: planPath,
      path: "plans/add-json-flag.md",
      at_ms: 0,
      status: "stopped_budget",
      stop_reason: "max_refine_rounds",
      rounds: 2,
      score_before: 42,
      score_after: 80,
      tasks_before: 3,
      tasks_after: 8,
      accepted: 4,
      offered: 6,
      improved: true,
    },
  ],
  findings: [
    { code: "vague_phrase", fixed: 5, muted: 1, overridden: 0, open: 2 },
    { code: "too_few_tasks", fixed: 1, muted: 0, overridden: 3, open: 0 },
  ],
  more: 7,
  approvals: { given: 14, timed: 12, usual_ms: 14_200, quick: 3, quick_lately: 2 },
};

const box: Box = { width: 100, height: 100, left: 10, right: 10, top: 0, bottom: 0 };

beforeEach(() => {
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "insights" },
    () => {},
  );
});

async function show(more: Answers = {}) {
  const backend = await startBackend({
    plans: () => ({
      plans: [summary, { ...summary, plan: other, path: "plans/other.md", title: "Other" }],
      left_out: [],
    }),
    insights: () => data,
    ...more,
  });
  render(<InsightsScreen />, backend);
  return { backend, user: userEvent.setup() };
}

test("points run from left to right with 100 at the top, one line per plan", () => {
  expect(xOf(0, 3, box)).toBe(10);
  expect(xOf(2, 3, box)).toBe(90);
  expect(xOf(0, 1, box)).toBe(50);
  expect(yOf(100, box)).toBe(0);
  expect(yOf(250, box)).toBe(0);
  expect(seriesOf(data.points).map(({ at }) => at)).toEqual([[0, 1, 3], [2]]);
  expect(nearest(data.points, 88, 50, box)).toBe(3);
});

test("the open plan is shown first; all plans can be", async () => {
  const { backend, user } = await show();
  await waitFor(() =>
    expect(backend.callsOf("insights").at(-1)).toEqual({
      workspace: workspacePath,
      plan: planPath,
    }),
  );
  await user.selectOptions(await screen.findByRole("combobox", { name: "Plan" }), "");
  await waitFor(() =>
    expect(backend.callsOf("insights").at(-1)).toEqual({ workspace: workspacePath, plan: null }),
  );
});

test("arrow keys move between revisions, and Enter opens the History", async () => {
  const { user } = await show();
  const plot = await screen.findByRole("slider", { name: /Revisions/ });
  plot.focus();
  expect(plot.getAttribute("aria-valuetext")).toContain("Fair 80, risk 26, 7 steps");
  await user.keyboard("{Home}");
  expect(plot.getAttribute("aria-valuetext")).toContain("Thin 50");
  expect(screen.getByText("Thin · 50")).toBeDefined();
  await user.keyboard("{ArrowRight}{Enter}");
  expect(getPlace()).toMatchObject({ screen: "plan", plan: planPath, view: "history" });
  expect(versionRequest.get()).toMatchObject({ plan: planPath, revision: "2".repeat(64) });
});

test("every number in the plot is also in a table", async () => {
  const { user } = await show();
  await user.click(await screen.findByText("Show as table"));
  const rows = within(await screen.findByRole("group", { name: "Revisions" })).getAllByRole("row");
  expect(rows).toHaveLength(1 + data.points.length);
  // The newest revision is in the first row below the headings.
  expect(rows[1]?.textContent).toContain("80");
  await user.click(screen.getByRole("button", { name: "Show 333333333333 in history" }));
  expect(getPlace()).toMatchObject({ plan: other, view: "history" });
  expect(screen.getByText(/7 older revisions/)).toBeDefined();
});

test("expansions and findings are shown in tables", async () => {
  await show();
  const expansions = await screen.findByRole("group", { name: "Expansions" });
  expect(within(expansions).getByText("42 → 80")).toBeDefined();
  expect(within(expansions).getByText("4 of 6")).toBeDefined();
  expect(within(expansions).getByText(/max refine rounds/)).toBeDefined();
  const findings = screen.getByRole("group", { name: "Findings by kind" });
  const row = within(findings).getByRole("row", { name: /vague_phrase/ });
  expect(
    within(row)
      .getAllByRole("cell")
      .map((cell) => cell.textContent),
  ).toEqual(["5", "1", "0", "2"]);
});

test("an empty screen says how to get data, and new data appears automatically", async () => {
  const { backend } = await show({
    insights: () => ({
      points: [],
      expansions: [],
      findings: [],
      more: 0,
      approvals: { given: 0, timed: 0, usual_ms: null, quick: 0, quick_lately: 0 },
    }),
  });
  expect(await screen.findByText("Nothing to show yet")).toBeDefined();
  expect(screen.getByText(/Insights appear as you work/)).toBeDefined();
  backend.answers.insights = () => data;
  await backend.send({ kind: "insights" });
  expect(await screen.findByRole("slider", { name: /Revisions/ })).toBeDefined();
});

test("approvals are summarized by how long each was on screen", async () => {
  await show();
  const part = await screen.findByRole("region", { name: "Approvals" });
  expect(part.textContent).toContain(
    "14 approvals. 12 in the app: half were on screen for less than 14 s, 3 for less than two seconds.",
  );
  expect(part.textContent).toContain("2 of the last 10 took less than two seconds");
});

test("a single approval in the app says how long it was on screen", async () => {
  const approvals = { given: 2, timed: 1, usual_ms: 1_500, quick: 1, quick_lately: 1 };
  await show({ insights: () => ({ ...data, approvals }) });
  const part = await screen.findByRole("region", { name: "Approvals" });
  expect(part.textContent).toContain("2 approvals. One in the app, on screen for 1.5 s.");
  expect(part.textContent).not.toContain("too short to read");
});

test("approvals from the terminal mention no time on screen", async () => {
  const approvals = { given: 1, timed: 0, usual_ms: null, quick: 0, quick_lately: 0 };
  await show({ insights: () => ({ ...data, approvals }) });
  const part = await screen.findByRole("region", { name: "Approvals" });
  expect(part.textContent).toContain("1 approval, given outside the app");
});

test("a failure says what to do and can be retried", async () => {
  await show({
    insights: () => {
      throw refusal("storage", "The database cannot be read.");
    },
  });
  expect(await screen.findByText("The database cannot be read.")).toBeDefined();
  expect(screen.getByRole("button", { name: "Retry" })).toBeDefined();
});
