/** Planning routes: effort estimates as text, the progress timeline, the reasons for a route, and what was learned. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type {
  DesktopEvent,
  EffortForecast,
  PlanRoute,
  RouteFigures,
  RouteStep,
} from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import FirstScreen from "../src/features/first/FirstScreen";
import { planningJob } from "../src/features/first/planning";
import { Routes } from "../src/features/insights/Routes";
import { routeGroups } from "../src/features/insights/routeGroups";
import { chosenEffort } from "../src/features/routes/effort";
import { showRoute } from "../src/features/routes/open";
import { RouteLine } from "../src/features/routes/RouteLine";
import RoutePart from "../src/features/routes/RoutePart";
import {
  bytes,
  forecastWords,
  makeWords,
  requestKind,
  roughly,
  routeCost,
  score,
  signed,
  stepCost,
  took,
} from "../src/features/routes/routeText";
import {
  type Answers,
  planPath,
  refusal,
  revision,
  start,
  startBackend,
  summary,
  workspace,
  workspacePath,
} from "./backend";
import { ruleRoute } from "./route.fixtures";

const forecast: EffortForecast = {
  effort: "auto",
  route: ["sd-symbolic", "kb-fast", "gs-symbolic"],
  next: "gs-llm-fast",
  ms: 90,
  requests: 0,
  tokens: 0,
  accepted: 0,
  judged: 0,
  is_learned: false,
};
const thorough: EffortForecast = {
  ...forecast,
  effort: "thorough",
  route: ["sd-llm-deep", "kb-thinkingdb", "gs-llm-deep"],
  next: "gs-llm-fast",
  ms: 14_200,
  requests: 3,
  tokens: 4_200,
  accepted: 8,
  judged: 10,
  is_learned: true,
};

function step(number: number, more: Partial<RouteStep> = {}): RouteStep {
  return {
    number,
    planner: "planner-default",
    kind: "solver",
    plugin: "gs-llm-fast",
    status: "success",
    why: "",
    ms: 12_000,
    requests: 2,
    tokens: 4_200,
    faults: 0,
    ...more,
  };
}

const route: PlanRoute = {
  ...ruleRoute,
  solver: "gs-llm-fast",
  model: "qwen2.5-coder:7b",
  requests: 2,
  tokens: 4_200,
  ms: 14_000,
  reasons: ["cheap plugins first: “quick” is in the goal"],
  steps: [
    step(1, { plugin: "gs-symbolic", status: "failed", why: "no template fits", requests: 0 }),
    step(2),
  ],
  stages: [
    {
      planner: "planner-default",
      kind: "solver",
      is_pinned: false,
      notes: [],
      candidates: [
        {
          plugin: "gs-llm-fast",
          description: "One request.",
          score: 0.62,
          terms: [
            { name: "learned", value: 0.35, why: "9 of 10 plans were used" },
            { name: "cost", value: -0.12, why: "its cost is 0.40" },
          ],
        },
        { plugin: "gs-symbolic", description: "Rules.", score: -0.1, terms: [] },
      ],
    },
  ],
  knowledge: [
    {
      plugin: "kb-fast",
      files: 34,
      bytes: 12_400,
      ms: 80,
      cut: ["build/: too many files"],
      is_sufficient: true,
      why: "found the files named in the goal",
      offered: [{ path: "src/report.py", reason: "named in the goal" }],
      known: [{ text: "Rows are built in render_rows", provenance: "run of 3 May, T1" }],
    },
  ],
};

beforeEach(() => {
  restorePlace({ ...nowhere, workspace: workspacePath }, () => undefined);
  chosenEffort.set("auto");
  planningJob.set(null);
});

test("durations are rounded to a useful precision", () => {
  expect([0, 60, 1_240, 9_940, 14_200, 59_900, 125_000].map(took)).toEqual([
    "under 0.1 s",
    "0.1 s",
    "1.2 s",
    "9.9 s",
    "14 s",
    "1 min 0 s",
    "2 min 5 s",
  ]);
  expect([0, 90, 940, 1_400, 14_200, 59_400, 90_000, 118_000].map(roughly)).toEqual([
    "about 0.1 s",
    "about 0.1 s",
    "about 0.9 s",
    "about 1 s",
    "about 14 s",
    "about 59 s",
    "about 1.5 min",
    "about 2 min",
  ]);
});

test("a forecast says whether it is based on outcomes", () => {
  expect(forecastWords(forecast)).toBe("estimated: about 0.1 s, no requests");
  expect(forecastWords(thorough)).toBe("about 14 s, 3 requests, 4,200 tokens · 8 of 10 accepted");
  expect(forecastWords({ ...thorough, judged: 0, accepted: 0, requests: 1, tokens: 1 })).toBe(
    "about 14 s, 1 request, 1 token",
  );
});

test("one sentence describes how the plan will be made", () => {
  const model = "qwen2.5-coder:7b";
  const usual = `Uses templates and rules first, then ${model}.`;
  expect(makeWords("auto", undefined, model)).toBe(usual);
  expect(makeWords("quick", undefined, model)).toBe(usual);
  expect(makeWords("auto", forecast, model)).toBe(usual);
  expect(makeWords("auto", { ...forecast, next: null }, model)).toBe(
    "Uses templates and rules only.",
  );
  expect(makeWords("thorough", undefined, model)).toBe(
    `${model} drafts the plan and looks for gaps, with templates and rules as a fallback.`,
  );
  expect(makeWords("thorough", thorough, model)).toBe(
    `${model} drafts the plan and looks for gaps.`,
  );
  expect(
    makeWords("auto", { ...forecast, route: ["gs-llm-fast"], next: "gs-symbolic" }, model),
  ).toBe(`${model} writes the plan in one request, with templates and rules as a fallback.`);
  expect(makeWords("auto", { ...forecast, route: ["gs-mine"], next: null }, model)).toBe(
    "gs-mine writes the plan.",
  );
});

test("numbers are formatted with their sign, sizes with their unit", () => {
  expect([0.351, -0.12, 0, -0.001, null].map(signed)).toEqual([
    "+0.35",
    "−0.12",
    "0.00",
    "0.00",
    "0.00",
  ]);
  expect([0.62, -0.1, -0.001].map(score)).toEqual(["0.62", "−0.10", "0.00"]);
  expect([640, 12_400, 3_400_000].map(bytes)).toEqual(["640 B", "12 kB", "3.4 MB"]);
  expect(requestKind("bug-fix")).toBe("bug fix");
  expect(stepCost(step(1))).toBe("12 s · 2 requests · 4,200 tokens");
  expect(stepCost(step(1, { status: "running" }))).toBe("");
  expect(routeCost(route)).toBe("2 requests, 14 s");
  expect(routeCost({ ...route, requests: 0, ms: 90 })).toBe("0.1 s");
});

const first: Answers = {
  start: () => ({ ...start, has_model: true }),
  open_workspace: () => workspace,
  plans: () => ({ plans: [], left_out: [] }),
  talks: () => [],
  read_goal: () => ({ requirements: ["a flag"], kind: "change", open: [], template: null }),
  forecast_efforts: () => [forecast, { ...forecast, effort: "quick" }, thorough],
};

test("an effort is chosen with its estimate and sent with the goal", async () => {
  const backend = await startBackend({
    ...first,
    make_plan: () => ({ plan: summary, template: null, route: [], refused: null, notices: [] }),
  });
  render(<FirstScreen />, backend);
  const user = userEvent.setup();
  const goal = await screen.findByRole("textbox", { name: "What do you want to do?" });
  await user.click(screen.getByRole("button", { name: "Effort: Auto" }));
  await screen.findByText("Enter a goal to see estimates.");
  expect(backend.callsOf("forecast_efforts")).toEqual([]);
  await user.keyboard("{Escape}");
  await user.type(goal, "Add a flag");
  await waitFor(() =>
    expect(backend.callsOf("forecast_efforts").at(-1)).toEqual({
      workspace: workspacePath,
      goal: "Add a flag",
    }),
  );
  await user.click(screen.getByRole("button", { name: "Effort: Auto" }));
  const item = await screen.findByRole("menuitemradio", { name: /Thorough/ });
  expect(item.textContent).toContain("sd-llm-deep → kb-thinkingdb → gs-llm-deep, then gs-llm-fast");
  expect(item.textContent).toContain("about 14 s, 3 requests, 4,200 tokens · 8 of 10 accepted");
  await user.click(item);
  await screen.findByRole("button", { name: "Effort: Thorough" });
  await screen.findByText(/the model drafts the plan and looks for gaps/);
  await user.click(screen.getByRole("button", { name: "Make a plan" }));
  await waitFor(() => expect(backend.callsOf("make_plan")).toHaveLength(1));
  expect(backend.callsOf("make_plan")[0]).toMatchObject({
    request: { effort: "thorough", pins: [] },
  });
  expect(backend.callsOf("begin_talk")).toEqual([]);
});

test("the timeline shows each step once with its current state, and both ways to stop have a key", async () => {
  let end: (error: unknown) => void = () => undefined;
  const backend = await startBackend({
    ...first,
    make_plan: () => new Promise((_, reject) => (end = reject)),
    use_what_there_is: () => null,
    cancel_planning: () => null,
  });
  const stop = listenForKeys();
  render(<FirstScreen />, backend);
  const user = userEvent.setup();
  await user.type(
    await screen.findByRole("textbox", { name: "What do you want to do?" }),
    "Add a flag{Control>}{Enter}{/Control}",
  );
  await screen.findByRole("region", { name: "Planning" });
  const job = planningJob.get()?.job ?? "";
  const told = (one: RouteStep): DesktopEvent => ({ kind: "planning_step", job, step: one });
  await act(() =>
    backend.send(told(step(1, { plugin: "gs-symbolic", status: "running" })), {
      kind: "planning",
      job,
      phase: "The model is drafting steps",
      files: 12,
      said: 1_240,
    }),
  );
  await act(() =>
    backend.send(
      told(step(1, { plugin: "gs-symbolic", status: "weak", why: "only 2 steps", requests: 0 })),
      told(step(2, { planner: "planner-depth", status: "running" })),
    ),
  );
  const list = await screen.findByRole("list", { name: "Attempts" });
  const said = () =>
    within(list)
      .getAllByRole("listitem")
      .map((row) => row.textContent);
  await waitFor(() =>
    expect(said()).toEqual([
      "gs-symbolicinsufficient: only 2 steps12 s · 4,200 tokens",
      "then by planner-depth",
      "gs-llm-fastrunning",
    ]),
  );
  const region = screen.getByRole("region", { name: "Planning" });
  expect(within(region).getByRole("status").textContent).toBe("The model is drafting steps");
  expect(region.textContent).toContain("12 files read · 1,240 characters received");

  await user.keyboard("{Control>}u{/Control}");
  await waitFor(() => expect(backend.callsOf("use_what_there_is")).toEqual([{ job }]));
  expect(within(region).getByRole("status").textContent).toBe("Using the best plan so far");
  await user.keyboard("{Control>}{Shift>}x{/Shift}{/Control}");
  await waitFor(() => expect(backend.callsOf("cancel_planning")).toEqual([{ job }]));
  await act(async () => end(refusal("cancelled", "Cancelled. Nothing was written.")));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Planning" })).toBe(null));
  stop();
});

test("a weak or fallback plan is labeled with the reason until it is edited", async () => {
  const backend = await startBackend();
  const weak = {
    ...route,
    weakness: "2 of 5 requirements are covered",
    fallback: "the model's answers could not be read",
    steps: [step(1, { status: "weak", why: "2 of 5 requirements are covered" })],
  };
  const { rerender } = render(<RouteLine route={weak} revision={revision} />, backend);
  expect(screen.getByText("2 of 5 requirements are covered")).toBeTruthy();
  expect(screen.getByText("the model's answers could not be read")).toBeTruthy();
  expect(screen.getByText(/Written by/).textContent).toBe(
    "Written by qwen2.5-coder:7b · 2 requests, 14 s",
  );
  rerender(<RouteLine route={weak} revision="another" />);
  expect(screen.queryByText("Weak plan")).toBe(null);
});

test("the dialog shows the reason, the attempts, every term, and what was read", async () => {
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
  const backend = await startBackend({ plan_route: () => route });
  const stop = listenForKeys();
  render(<RoutePart />, backend);
  const user = userEvent.setup();
  await waitFor(() => expect(backend.callsOf("plan_route")).toHaveLength(1));
  await act(async () => undefined);
  await user.keyboard("gw");
  const dialog = await screen.findByRole("dialog", { name: "Why this route" });
  await within(dialog).findByText(/“quick” is in the goal/);
  expect(within(dialog).getByText("no template fits", { exact: false })).toBeTruthy();
  const order = within(dialog).getByRole("list", { name: "Order: Writes the plan" });
  expect(within(order).getAllByRole("listitem")[0]?.textContent).toContain("gs-llm-fastused");
  const row = within(order).getByRole("row", { name: /learned/, hidden: true });
  expect(row.textContent).toBe("learned+0.359 of 10 plans were used");
  expect(dialog.textContent).toContain("34 files scanned, 12 kB of text read");
  expect(dialog.textContent).toContain("Left out: build/: too many files");
  expect(dialog.textContent).toContain("src/report.py");
  expect(dialog.textContent).toContain("run of 3 May, T1");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBe(null));
  stop();
});

test("a route that can't be read says so and can be retried", async () => {
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
  const backend = await startBackend({
    plan_route: () => {
      throw refusal("storage", "The database is busy.");
    },
  });
  render(<RoutePart />, backend);
  await act(async () => showRoute());
  const dialog = await screen.findByRole("dialog", { name: "Why this route" });
  await within(dialog).findByText("The database is busy.");
  backend.answers.plan_route = () => null;
  await userEvent.setup().click(within(dialog).getByRole("button", { name: "Retry" }));
  await within(dialog).findByText("No route recorded");
});

function figures(plugin: string, more: Partial<RouteFigures> = {}): RouteFigures {
  return {
    request: "bug-fix",
    model: "qwen2.5-coder:7b",
    plugin,
    kind: "solver",
    attempts: 10,
    successes: 7,
    insufficiency: 2,
    failures: 1,
    accepted: 8,
    judged: 9,
    faults: 0,
    success: 0.8,
    ms: 14_000,
    tokens: 4_200,
    counts: true,
    ...more,
  };
}

test("statistics are listed by kind of request and model, solvers first", () => {
  const groups = routeGroups([
    figures("sd-symbolic", { kind: "detector" }),
    figures("gs-symbolic", { attempts: 2 }),
    figures("gs-llm-fast"),
    figures("gs-symbolic", { model: "" }),
  ]);
  expect(groups.map(({ model, rows }) => [model, rows.map((row) => row.plugin)])).toEqual([
    ["qwen2.5-coder:7b", ["gs-llm-fast", "gs-symbolic", "sd-symbolic"]],
    ["", ["gs-symbolic"]],
  ]);
});

test("learned data is deleted by group or entirely, after confirmation", async () => {
  const rows = [
    figures("gs-llm-fast"),
    figures("gs-symbolic", { model: "", attempts: 2, judged: 0, tokens: 0, counts: false }),
  ];
  const backend = await startBackend({
    route_insights: () => ({ rows }),
    forget_routes: () => 10,
  });
  render(<Routes />, backend);
  const user = userEvent.setup();
  const table = await screen.findByRole("group", {
    name: "Routes: bug fix · qwen2.5-coder:7b",
  });
  expect(within(table).getByRole("row", { name: /gs-llm-fast/ }).textContent).toBe(
    "gs-llm-fast107218 of 914 s4,200yes",
  );
  await user.click(screen.getByRole("button", { name: "Forget bug fix · no model" }));
  const dialog = await screen.findByRole("dialog", { name: "Forget bug fix · no model?" });
  const confirm = within(dialog).getByRole("button", { name: "Forget" });
  await waitFor(() => expect(confirm.getAttribute("aria-disabled")).toBe("false"));
  await user.click(confirm);
  await waitFor(() =>
    expect(backend.callsOf("forget_routes")).toEqual([{ request: "bug-fix", model: "" }]),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBe(null));
  backend.answers.route_insights = () => ({ rows: [] });
  await act(() => backend.send({ kind: "insights" }));
  await screen.findByText(/Nothing learned yet/);
});
