/** A plan's state is shown in the list and the header. */
import { render, screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { nowhere, restorePlace } from "../src/app/place";
import { Header } from "../src/features/header/Header";
import { PlanList } from "../src/features/plans/PlanList";
import { planState } from "../src/features/plans/planState";
import {
  outline,
  planPath,
  start,
  startBackend,
  summary,
  workspace,
  workspacePath,
} from "./backend";

beforeEach(() =>
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {}),
);

const plan = (name: string, more: Partial<typeof summary>) => ({
  ...summary,
  plan: `${workspacePath}/plans/${name}.md`,
  title: name,
  ...more,
});

test("an active run takes precedence, then completion, then the revision's mark", () => {
  const base = { run_state: null, mark: null, is_over: false };
  expect(planState(base)).toBe("draft");
  expect(planState({ ...base, mark: "proposed" })).toBe("proposed");
  expect(planState({ ...base, mark: "changes_requested" })).toBe("changes_requested");
  expect(planState({ ...base, mark: "approved" })).toBe("approved");
  expect(planState({ ...base, mark: "approved", run_state: "running" })).toBe("running");
  expect(planState({ ...base, is_over: true, run_state: "waiting" })).toBe("waiting");
  expect(planState({ ...base, is_over: true })).toBe("done");
  expect(planState({ ...base, is_over: true, is_archived: true })).toBe("archived");
  expect(planState({ ...base, run_state: "paused", is_archived: true })).toBe("paused");
});

test("each plan in the list shows its state; an unreadable one has none", async () => {
  const backend = await startBackend({
    plans: () => ({
      plans: [
        plan("Fresh", {}),
        plan("Agreed", { mark: "approved" }),
        plan("Busy", { mark: "approved", run_state: "running" }),
        plan("Over", { done: 7, is_over: true }),
        plan("Broken", { problem: "Not UTF-8", badge: null }),
      ],
      left_out: [],
    }),
    inbox: () => [],
  });
  render(<PlanList />, backend);
  const row = async (name: RegExp) => (await screen.findByRole("button", { name })).textContent;
  expect(await row(/Fresh/)).toContain("draft");
  expect(await row(/Agreed/)).toContain("approved");
  expect(await row(/Busy/)).toContain("running");
  expect(await row(/Over/)).toContain("done");
  expect(await row(/Broken/)).toBe("Brokenunreadable");
});

test("the header shows the open plan's state and its run", async () => {
  const shown = { ...summary, run_state: null as string | null };
  const backend = await startBackend({
    start: () => start,
    open_workspace: () => workspace,
    outline: () => ({ ...outline, mark: "approved" }),
    plans: () => ({ plans: [shown], left_out: [] }),
    talks: () => [],
    runs_of: () => [],
  });
  render(<Header />, backend);
  expect((await screen.findByText("State:")).parentElement?.textContent).toBe("State: approved");
  shown.run_state = "running";
  await backend.send({ kind: "plans", workspace: workspacePath });
  expect(await screen.findByText("running")).toBeTruthy();
});
