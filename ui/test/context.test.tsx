/** The context of a step's model: collapsed at first; when expanded, it shows each item with its reason and text. */
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { StepContext } from "../src/api/bindings";
import { StepView } from "../src/features/run/StepView";
import { startBackend } from "./backend";
import { step } from "./run.fixtures";

const context: StepContext = {
  strategy: "relevant",
  budget: 2000,
  used: 1240,
  left_out: 3,
  items: [
    {
      kind: "summary",
      title: "T1",
      reason: "The step depends on T1.",
      tokens: 18,
      text: "Done earlier: T1 “Find the rows”: they are built in render_rows",
    },
    {
      kind: "file",
      title: "src/report.py, lines 12–40",
      reason: "The step names this file; these lines contain “render_rows”.",
      tokens: 1200,
      text: '<file-text path="src/report.py" lines="12-40 of 900">\ndef render_rows():\n</file-text>',
    },
    {
      kind: "fact",
      title: "",
      reason: "Shares “row” with the step.",
      tokens: 22,
      text: "Known: a row is a dict",
    },
  ],
};

async function show(shown: StepContext | null) {
  const backend = await startBackend();
  render(<StepView step={{ ...step, context: shown }} />, backend);
}

test("each context item is listed with its reason, size and text", async () => {
  await show(context);
  const head = screen.getByText("Context sent to the model");
  expect(head.closest("summary")?.textContent).toContain(
    "3 items · 1,240 of 2,000 tokens · relevant",
  );
  await userEvent.click(head);
  const items = screen.getAllByRole("listitem").filter((item) => item.querySelector("details"));
  expect(items).toHaveLength(3);
  const file = items[1] as HTMLElement;
  expect(within(file).getByText("src/report.py, lines 12–40")).toBeDefined();
  expect(within(file).getByText(/these lines contain “render_rows”/)).toBeDefined();
  expect(within(file).getByText("1,200")).toBeDefined();
  expect(file.querySelector("pre")?.textContent).toContain("def render_rows():");
  // Items without a name are identified by their text.
  expect(items[2]?.querySelector("bdi")?.textContent).toBe("Known: a row is a dict");
  expect(screen.getByText(/3 more items left out/)).toBeDefined();
});

test("a step without a model shows no context, and an empty context is noted", async () => {
  await show(null);
  expect(screen.queryByText("Context sent to the model")).toBeNull();
  await show({ ...context, items: [], used: 0, left_out: 0 });
  expect(screen.getByText(/Nothing from the workspace/)).toBeDefined();
  expect(screen.queryByText(/left out/)).toBeNull();
});
