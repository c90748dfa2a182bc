/** Search across plans: hits by plan, arrow keys and Enter, and messages for no results or failure. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SearchHit } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { groupHits } from "../src/features/search/hits";
import { SearchPart } from "../src/features/search/SearchPart";
import { closeSearch, openSearch } from "../src/features/search/search";
import { lineRequest } from "../src/features/source/showLine";
import { type Answers, planPath, refusal, startBackend, workspacePath } from "./backend";

const other = `${workspacePath}/plans/other.md`;

function hit(plan: string, line: number, more: Partial<SearchHit> = {}): SearchHit {
  return {
    plan,
    path: plan.slice(workspacePath.length + 1),
    title: plan === other ? "Another plan" : "Add a --json flag",
    revision: "r",
    task: `T${line}`,
    task_title: `Task ${line}`,
    line,
    excerpt: [
      { kind: "same", text: "Print the " },
      { kind: "added", text: "report" },
      { kind: "same", text: " rows" },
    ],
    ...more,
  };
}

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace(
    { ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan", view: "graph" },
    () => {},
  );
});

afterEach(() => {
  stop();
  act(closeSearch);
});

async function show(more: Answers = {}) {
  const backend = await startBackend({
    search_plans: () => [hit(planPath, 2), hit(other, 5), hit(planPath, 4)],
    ...more,
  });
  render(<SearchPart />, backend);
  const user = userEvent.setup();
  await user.keyboard("{Control>}{Shift>}f{/Shift}{/Control}");
  const field = await screen.findByRole<HTMLInputElement>("combobox", {
    name: "Search all plans",
  });
  await user.clear(field);
  return { backend, user, field };
}

test("hits are grouped by plan and numbered across groups", () => {
  const groups = groupHits([hit(planPath, 2), hit(other, 5), hit(planPath, 4)]);
  expect(groups.map((group) => group.plan)).toEqual([planPath, other]);
  expect(groups.map((group) => group.hits.map((one) => [one.at, one.hit.line]))).toEqual([
    [
      [0, 2],
      [1, 4],
    ],
    [[2, 5]],
  ]);
});

test("the search runs after a pause in typing, and matches are highlighted", async () => {
  const { backend, user, field } = await show();
  await user.type(field, "report rows");
  const list = await screen.findByRole("group", { name: "Another plan" });
  expect(within(list).getByRole("option").querySelector("mark")?.textContent).toBe("report");
  expect(screen.getByRole("status").textContent).toBe("3 results in 2 plans");
  expect(backend.callsOf("search_plans").at(-1)).toEqual({
    workspace: workspacePath,
    words: "report rows",
  });
  expect(backend.callsOf("search_plans").length).toBeLessThan(4);
});

test("arrow keys select a hit, and Enter opens the plan at that step in the outline", async () => {
  const { user, field } = await show();
  await user.type(field, "report");
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("3 results"));
  expect(screen.getAllByRole("option", { selected: true })).toHaveLength(1);
  await user.keyboard("{ArrowDown}{ArrowDown}");
  const chosen = screen.getByRole("option", { selected: true });
  expect(field.getAttribute("aria-activedescendant")).toBe(chosen.id);
  expect(chosen.textContent).toContain("T5");
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(getPlace()).toMatchObject({ plan: other, task: "T5", view: "outline", screen: "plan" }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a hit outside the steps opens the source at its line", async () => {
  const prose = { task: null, task_title: null };
  const { user, field } = await show({ search_plans: () => [hit(other, 7, prose)] });
  await user.type(field, "report");
  expect((await screen.findByRole("option")).textContent).toContain("line 7");
  await waitFor(() => expect(screen.getByRole("status").textContent).toContain("1 result"));
  await user.keyboard("{Enter}");
  await waitFor(() =>
    expect(getPlace()).toMatchObject({ plan: other, task: null, view: "source", screen: "plan" }),
  );
  await waitFor(() => expect(lineRequest.get()?.line).toBe(7));
});

test("Enter right after typing waits for the results of the current text", async () => {
  const { user, field } = await show({
    search_plans: ({ words }) => (words === "docs" ? [hit(planPath, 4)] : [hit(other, 5)]),
  });
  await user.type(field, "d");
  await screen.findByRole("group", { name: "Another plan" });
  await user.type(field, "ocs{Enter}");
  await waitFor(() => expect(getPlace()).toMatchObject({ plan: planPath, task: "T4" }));
});

test("no results show a hint; a failure says why and can be retried", async () => {
  const { backend, user, field } = await show({ search_plans: () => [] });
  await user.type(field, "nowhere");
  expect(
    await screen.findByText("All words must be on the same line. Try fewer words."),
  ).toBeDefined();
  backend.answers.search_plans = () => {
    throw refusal("failed", "The folder cannot be read.");
  };
  await user.type(field, " else");
  expect(await screen.findByText("The folder cannot be read.")).toBeDefined();
  backend.answers.search_plans = () => [hit(other, 5)];
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("option")).toBeDefined();
});

test("without a folder the search doesn't open", async () => {
  restorePlace({ ...nowhere, screen: "first" }, () => {});
  const backend = await startBackend();
  render(<SearchPart />, backend);
  act(openSearch);
  expect(screen.queryByRole("dialog")).toBeNull();
});
