/** The first screen: requirements follow the goal until edited, and a goal becomes a plan. */
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import FirstScreen from "../src/features/first/FirstScreen";
import {
  type Answers,
  planPath,
  refusal,
  start,
  startBackend,
  summary,
  workspace,
  workspacePath,
} from "./backend";

const answers: Answers = {
  start: () => start,
  open_workspace: () => workspace,
  plans: () => ({ plans: [], left_out: [] }),
  read_goal: ({ goal }) => ({
    requirements: String(goal)
      .split(" and ")
      .filter((text) => text.trim()),
    kind: "change",
    open: [],
    template: null,
  }),
  make_plan: () => ({ plan: summary, template: "flag", route: [], refused: null, notices: [] }),
};

async function show(more: Answers = {}) {
  const backend = await startBackend({ ...answers, ...more });
  render(<FirstScreen />, backend);
  const goal = await screen.findByRole("textbox", { name: "What do you want to do?" });
  await screen.findByRole("button", { name: "report-tool" });
  return { backend, goal, user: userEvent.setup() };
}

beforeEach(() => restorePlace({ ...nowhere, workspace: workspacePath }, () => undefined));

test("requirements are read while typing the goal and go into the plan as edited", async () => {
  const { backend, goal, user } = await show();
  await user.type(goal, "Add a flag and test it");
  await user.click(await screen.findByRole("button", { name: "Remove R2 test it" }));
  await user.click(screen.getByRole("button", { name: /Edit R1/ }));
  const field = screen.getByRole("textbox", { name: "Requirement 1" });
  await user.clear(field);
  await user.type(field, "Add a --json flag{Enter}");
  await user.click(screen.getByRole("button", { name: "Make a plan" }));
  await waitFor(() => expect(getPlace()).toMatchObject({ plan: planPath, screen: "plan" }));
  expect(backend.callsOf("make_plan")[0]).toMatchObject({
    request: {
      goal: "Add a flag and test it",
      requirements: ["Add a --json flag"],
      workspace: workspacePath,
    },
  });
});

test("unedited requirements are left to the backend", async () => {
  const { backend, goal, user } = await show();
  await user.type(goal, "Add a flag{Control>}{Enter}{/Control}");
  await waitFor(() => expect(backend.callsOf("make_plan")).toHaveLength(1));
  expect(backend.callsOf("make_plan")[0]).toMatchObject({ request: { requirements: null } });
});

test("a goal that couldn't be planned stays in its box", async () => {
  const { goal, user, backend } = await show({
    make_plan: () => {
      throw refusal("failed", "Cancelled. Nothing was written.");
    },
  });
  await user.type(goal, "Add a flag{Control>}{Enter}{/Control}");
  await waitFor(() => expect(backend.callsOf("make_plan")).toHaveLength(1));
  await waitFor(() => expect(goal).toHaveProperty("readOnly", false));
  expect(goal).toHaveProperty("value", "Add a flag");
  expect(getPlace().plan).toBe(null);
});

test("a goal started before opening a folder moves to that folder", async () => {
  restorePlace(nowhere, () => undefined);
  const backend = await startBackend({
    ...answers,
    pick_folder: () => workspacePath,
    open_path: () => ({ workspace, plan: null }),
  });
  render(<FirstScreen />, backend);
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox"), "Add a flag");
  await waitFor(() =>
    expect(backend.callsOf("save_draft").at(-1)).toMatchObject({ key: "goal", text: "Add a flag" }),
  );
  await user.click(screen.getByRole("button", { name: "Open a folder" }));
  await screen.findByRole("button", { name: "report-tool" });
  expect(screen.getByRole("textbox")).toHaveProperty("value", "Add a flag");
  await waitFor(() =>
    expect(backend.callsOf("save_draft")).toContainEqual({
      plan: workspacePath,
      key: "goal",
      text: "Add a flag",
      revision: null,
    }),
  );
});

test("in a read-only folder no plan is made, and the screen says why", async () => {
  const { goal, user, backend } = await show({
    open_workspace: () => ({ ...workspace, is_writable: false }),
  });
  expect(await screen.findByText(/This folder is read-only/)).toBeTruthy();
  await user.type(goal, "Add a flag{Control>}{Enter}{/Control}");
  expect(backend.callsOf("make_plan")).toHaveLength(0);
});

test("a missing folder shows a message and offers to open another", async () => {
  const backend = await startBackend({
    ...answers,
    open_workspace: () => {
      throw refusal("workspace", "~/report-tool is not there any more.");
    },
  });
  render(<FirstScreen />, backend);
  expect(await screen.findByText("~/report-tool is not there any more.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Open another folder" })).toBeTruthy();
});

test("a template shows its values, and can be turned off and on", async () => {
  const template = {
    name: "rename-across-files",
    reason: "template rename-across-files: the goal asks for a rename",
    took: [
      ["from", "total"],
      ["to", "sum_rows"],
    ],
  };
  const { backend, goal, user } = await show({
    read_goal: () => ({ requirements: ["Rename it"], kind: "rename", open: [], template }),
  });
  await user.type(goal, "Rename total to sum_rows");
  const refuse = await screen.findByRole("button", { name: "Don’t use the template" });
  expect(refuse.parentElement?.textContent).toContain("rename-across-files");
  expect(refuse.parentElement?.textContent).toContain("from total");
  await user.click(refuse);
  await user.click(
    await screen.findByRole("button", { name: "Use the template rename-across-files" }),
  );
  await user.click(await screen.findByRole("button", { name: "Don’t use the template" }));
  await user.click(screen.getByRole("button", { name: "Make a plan" }));
  await waitFor(() => expect(backend.callsOf("make_plan")).toHaveLength(1));
  expect(backend.callsOf("make_plan")[0]).toMatchObject({
    request: { without_template: true, template: null },
  });
});

test("the goal box is focused at startup, but doesn't take the focus from another element", async () => {
  const { goal } = await show();
  expect(document.activeElement).toBe(goal);
  cleanup();
  document.body.innerHTML = "<button>Elsewhere</button>";
  document.querySelector("button")?.focus();
  await show();
  expect(document.activeElement?.textContent).toBe("Elsewhere");
});

test("the sample button opens its plan", async () => {
  const { user } = await show({ open_sample: () => ({ workspace, plan: planPath }) });
  await user.click(screen.getByRole("button", { name: "Open the sample program" }));
  await waitFor(() =>
    expect(getPlace()).toMatchObject({ workspace: workspacePath, plan: planPath }),
  );
});
