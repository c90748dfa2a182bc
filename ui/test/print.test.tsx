/** Printing: the whole plan is rendered for the printer, although the outline renders only the rows in view. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { restorePlace } from "../src/app/place";
import PrintPart from "../src/features/print/PrintPart";
import { toasts } from "../src/lib/toast";
import { refusal, startBackend } from "./backend";
import { jsonFlagPlan, planBackend, task } from "./planBackend";

let stop = () => {};
const printed = vi.fn();

beforeEach(() => {
  printed.mockReset();
  vi.stubGlobal("print", printed);
  toasts.set([]);
  stop = listenForKeys();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const page = () => document.querySelector<HTMLElement>("[data-printed]");

test("all rows are rendered before printing and removed afterwards", async () => {
  const plan = planBackend();
  plan.state.tasks = [
    ...jsonFlagPlan().tasks,
    ...Array.from({ length: 320 }, (_, at) => task(`X${at}`, `Step number ${at}`)),
  ];
  const backend = await startBackend(plan.answers);
  restorePlace(plan.place, () => undefined);
  render(<PrintPart />, backend);
  const user = userEvent.setup();
  await waitFor(() => expect(backend.callsOf("outline")).toHaveLength(1));
  await act(() => new Promise((done) => setTimeout(done, 20)));
  let onPaper = "";
  printed.mockImplementation(() => {
    onPaper = page()?.textContent ?? "";
  });
  await user.keyboard("{Control>}p{/Control}");
  await waitFor(() => expect(printed).toHaveBeenCalledOnce());
  expect(onPaper).toContain("Add a --json flag to the report command");
  expect(onPaper).toContain("one JSON object per row");
  expect(onPaper).toContain("Step number 0");
  expect(onPaper).toContain("Step number 319");
  expect(onPaper).toContain("Checks: python3 -m unittest tests.test_cli");
  expect(onPaper).toContain("Options: One object per line / One array");
  const first = page();
  expect(first && within(first).getAllByRole("img", { name: "open" }).length).toBe(328);
  act(() => void window.dispatchEvent(new Event("afterprint")));
  expect(page()).toBeNull();
});

test("if rows can't be read, an error is shown and nothing is printed", async () => {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    rows: () => {
      throw refusal("failed", "The file is gone.");
    },
  });
  restorePlace(plan.place, () => undefined);
  render(<PrintPart />, backend);
  await waitFor(() => expect(backend.callsOf("outline")).toHaveLength(1));
  await act(() => new Promise((done) => setTimeout(done, 20)));
  await userEvent.keyboard("{Control>}p{/Control}");
  await waitFor(() =>
    expect(toasts.get().at(-1)).toMatchObject({
      tone: "bad",
      title: "Couldn’t print the plan",
      message: "The file is gone.",
    }),
  );
  expect(printed).not.toHaveBeenCalled();
  expect(screen.queryByText("Steps")).toBeNull();
});
