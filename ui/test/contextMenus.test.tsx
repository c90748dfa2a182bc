/** Right-click and Shift+F10 open a menu for the row, plan or graph step under the pointer or focus. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import GraphTab from "../src/features/graph/GraphTab";
import OutlineTab from "../src/features/outline/Outline";
import { PlanList } from "../src/features/plans/PlanList";
import { toasts } from "../src/lib/toast";
import { planPath, startBackend, summary, workspacePath } from "./backend";
import { branchy } from "./graph.fixtures";
import { planBackend } from "./planBackend";

vi.setConfig({ testTimeout: 20_000 });

let stopKeys = () => {};

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(700);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(700);
  stopKeys = listenForKeys();
});

afterEach(() => {
  stopKeys();
  toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const menu = (name: string) => screen.findByRole("menu", { name });
const rightClick = (target: Element) =>
  fireEvent.contextMenu(target, { clientX: 120, clientY: 240 });
const items = (of: HTMLElement) =>
  within(of)
    .getAllByRole("menuitem")
    .map((item) => {
      const copy = item.cloneNode(true) as HTMLElement;
      for (const key of copy.querySelectorAll("kbd")) key.parentElement?.remove();
      return copy.textContent;
    });

async function openOutline(isWritable = true) {
  const plan = planBackend();
  plan.isWritable = isWritable;
  const backend = await startBackend({
    ...plan.answers,
    graph: ({ revision }) => ({ ...branchy(), revision: String(revision) }),
  });
  plan.tell = (...events) => void backend.send(...events);
  restorePlace({ ...plan.place, task: "T1" }, () => undefined);
  return { plan, backend, user: userEvent.setup() };
}

const rowOf = async (id: string) => {
  await waitFor(() => expect(document.querySelector(`[data-task="${id}"]`)).not.toBeNull());
  return document.querySelector(`[data-task="${id}"]`) as HTMLElement;
};

test("a right-click on a row selects it and opens its menu at the pointer", async () => {
  const { plan, backend, user } = await openOutline();
  render(<OutlineTab />, backend);
  const isKept = rightClick(await rowOf("T2"));
  expect(isKept).toBe(false);
  const opened = await menu("Actions for T2");
  expect(getPlace().task).toBe("T2");
  expect(items(opened)).toContain("Add step after");
  const point = document.getElementById(opened.getAttribute("aria-labelledby") ?? "");
  expect(point?.style.left).toBe("120px");
  await user.click(within(opened).getByRole("menuitem", { name: "Mark as done manually" }));
  await waitFor(() => expect(plan.edits.at(-1)).toMatchObject({ task: "T2" }));
});

test("Shift+F10 and the Menu key open the focused row's menu; Escape returns the focus", async () => {
  const { backend, user } = await openOutline();
  render(<OutlineTab />, backend);
  const row = await rowOf("T1");
  act(() => row.focus());
  await user.keyboard("{Shift>}{F10}{/Shift}");
  await menu("Actions for T1");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(row));
  await user.keyboard("{ContextMenu}");
  await menu("Actions for T1");
});

test("in a read-only plan the row menu only offers to show it, and text fields keep the system menu", async () => {
  const { backend, user } = await openOutline(false);
  render(
    <>
      <OutlineTab />
      <input aria-label="field" />
    </>,
    backend,
  );
  rightClick(await rowOf("T2"));
  const opened = await menu("Actions for T2");
  expect(items(opened)).toEqual(["Show all fields", "Copy link"]);
  await user.click(within(opened).getByRole("menuitem", { name: "Copy link" }));
  expect(await navigator.clipboard.readText()).toMatch(/^planwright:\/\/open\?path=.*&step=T2$/);
  expect(rightClick(screen.getByRole("textbox", { name: "field" }))).toBe(true);
});

test("a plan's menu in the list opens it, copies its path or shows its file", async () => {
  const backend = await startBackend({
    plans: () => ({
      plans: [
        summary,
        {
          ...summary,
          plan: "/home/me/.claude/plans/x.md",
          title: "Other",
          place: "~/.claude/plans",
        },
      ],
      left_out: [],
    }),
    inbox: () => [],
    show_in_folder: () => null,
  });
  restorePlace({ ...nowhere, workspace: workspacePath }, () => undefined);
  render(<PlanList />, backend);
  const user = userEvent.setup();
  const row = await screen.findByRole("button", { name: /Add a --json flag/ });
  rightClick(row);
  const opened = await menu("Actions for Add a --json flag");
  expect(items(opened)).toEqual(["Open", "Copy path", "Archive", "Show in folder"]);
  await user.click(within(opened).getByRole("menuitem", { name: "Show in folder" }));
  expect(backend.callsOf("show_in_folder")).toEqual([
    { workspace: workspacePath, path: summary.path },
  ]);
  act(() => row.focus());
  await user.keyboard("{Shift>}{F10}{/Shift}");
  await user.click(
    within(await menu("Actions for Add a --json flag")).getByRole("menuitem", { name: "Open" }),
  );
  expect(getPlace().plan).toBe(planPath);
  // Files outside the workspace can't be shown.
  rightClick(screen.getByRole("button", { name: /Other/ }));
  expect(items(await menu("Actions for Other"))).toEqual(["Open", "Copy path", "Archive"]);
});

test("a step in the graph has a menu, by pointer and Shift+F10", async () => {
  const { backend, user } = await openOutline();
  restorePlace({ ...getPlace(), view: "graph", task: "T2" }, () => undefined);
  render(<GraphTab />, backend);
  const canvas = await screen.findByRole("application", { name: "Graph of the plan" });
  const box = (id: string) => document.getElementById(`graph-step-${id}`) as HTMLElement;
  rightClick(box("T1"));
  const opened = await menu("Actions for T1");
  expect(getPlace().task).toBe("T1");
  expect(items(opened)).toEqual([
    "Show step in outline",
    "Make another step depend on this one…",
    "Make this step depend on another…",
    "Remove dependency…",
  ]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  act(() => canvas.focus());
  await user.keyboard("{Shift>}{F10}{/Shift}");
  await user.click(
    within(await menu("Actions for T1")).getByRole("menuitem", { name: "Remove dependency…" }),
  );
  expect(await screen.findByRole("dialog", { name: /Remove a dependency: T1/ })).toBeTruthy();
});

test("an edge in the graph has a menu that removes it", async () => {
  const { backend } = await openOutline();
  restorePlace({ ...getPlace(), view: "graph", task: "T2" }, () => undefined);
  render(<GraphTab />, backend);
  const line = await screen.findByRole("img", { name: "T2 depends on T1, the previous step" });
  rightClick(line.querySelector("path") ?? line);
  expect(items(await menu("T2 depends on T1, the previous step"))).toEqual(["Remove T1 → T2"]);
});
