/** The canvas: syncs the selection, connects and disconnects by keyboard, confirms before removing an implied dependency, and shows the cycle when an edge is rejected. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Edit, GraphView } from "../src/api/bindings";
import { App } from "../src/app/App";
import { availableActions, listenForKeys } from "../src/app/keys";
import { getPlace, restorePlace, setPlace } from "../src/app/place";
import { Toasts } from "../src/app/Toasts";
import GraphTab from "../src/features/graph/GraphTab";
import { toasts } from "../src/lib/toast";
import { refusal, start, startBackend, summary, workspace } from "./backend";
import { branchy, edge, grouped, node } from "./graph.fixtures";
import { planBackend } from "./planBackend";

let stopKeys = () => {};

vi.setConfig({ testTimeout: 20_000 });

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

/** @param shown the graph; may be changed during the test */
async function open(shown: { view: GraphView } = { view: branchy() }, task: string | null = "T2") {
  const plan = planBackend();
  const edits: Edit[] = [];
  const backend = await startBackend({
    ...plan.answers,
    graph: ({ revision }) => ({ ...structuredClone(shown.view), revision: String(revision) }),
    edit: (args) => {
      edits.push(args.edit as Edit);
      return { outcome: "written", revision: plan.revision(), task: null, merged: false };
    },
    preview_edit: ({ revision }) => ({
      revision,
      diff: [{ kind: "added", old: null, new: 13, text: "  - depends: none" }],
      tasks: 8,
    }),
  });
  plan.tell = (...events) => void backend.send(...events);
  restorePlace({ ...plan.place, view: "graph", task }, () => undefined);
  render(
    <>
      <GraphTab />
      <Toasts />
    </>,
    { wrapper: backend.wrapper },
  );
  return { backend, plan, edits, user: userEvent.setup() };
}

const canvas = () =>
  screen.findByRole("application", { name: "Graph of the plan" }, { timeout: 8000 });
const box = (id: string) => document.getElementById(`graph-step-${id}`) as HTMLElement;

test("each step has a label, and the selected one is the canvas's active item", async () => {
  await open();
  expect((await canvas()).getAttribute("aria-activedescendant")).toBe("graph-step-T2");
  expect(box("T2").getAttribute("aria-label")).toBe(
    "T2, Add a flag, depends on T1, ready, unblocks 5 steps",
  );
  expect(box("T2").dataset.chosen).toBe("yes");
  expect(box("T1").dataset.relation).toBe("up");
  expect(box("T6").dataset.relation).toBe("down");
  expect(box("T5").dataset.severity).toBe("major");
  expect(screen.getByRole("img", { name: "T2 depends on T1, the previous step" })).toBeTruthy();
});

test("arrows follow the edges, N goes to the next ready step, and the selection is shared", async () => {
  const { user } = await open(undefined, null);
  const here = await canvas();
  act(() => here.focus());
  await user.keyboard("{ArrowDown}");
  expect(getPlace().task).toBe("T1");
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}");
  expect(getPlace().task).toBe("T4");
  await user.keyboard("k");
  expect(getPlace().task).toBe("D1");
  await user.keyboard("n");
  expect(getPlace().task).toBe("T2");
  act(() => setPlace({ task: "C1" }));
  expect(here.getAttribute("aria-activedescendant")).toBe("graph-step-C1");
});

test("Enter and a double click show the step in the outline", async () => {
  const { user } = await open();
  const here = await canvas();
  act(() => here.focus());
  await user.keyboard("{Enter}");
  expect(getPlace()).toMatchObject({ view: "outline", task: "T2", top: null });
  act(() => setPlace({ view: "graph" }));
  fireEvent.doubleClick(box("T5"));
  expect(getPlace()).toMatchObject({ view: "outline", task: "T5" });
});

test("a step is connected by keyboard, in both directions", async () => {
  const { user, edits } = await open();
  await canvas();
  await user.keyboard("d");
  const field = await screen.findByRole("combobox", { name: "Step that depends on T2" });
  await user.type(field, "sign off{Enter}");
  await waitFor(() => expect(edits).toEqual([{ edit: "connect", from: "T2", to: "T6" }]));
  expect(await screen.findByText("T6 depends on T2")).toBeTruthy();
  await user.keyboard("{Shift>}D{/Shift}");
  const other = await screen.findByRole("combobox", { name: "Step that T2 depends on" });
  expect(screen.getByRole("option", { name: /T5.*would create a cycle/ })).toBeTruthy();
  // Existing dependencies aren't offered again.
  expect(screen.queryByRole("option", { name: /^T1/ })).toBe(null);
  await user.type(other, "{ArrowDown}{Enter}");
  await waitFor(() => expect(edits).toHaveLength(2));
  expect(edits[1]).toEqual({ edit: "connect", from: "T3", to: "T2" });
});

test("an explicit dependency is removed at once, with Undo", async () => {
  const { user, edits, backend } = await open(undefined, "D1");
  backend.answers.undo_edit = vi.fn(() => ({ outcome: "unchanged", revision: "r" }));
  await canvas();
  await user.keyboard("x");
  await user.click(await screen.findByRole("option", { name: /D1 depends on it: Add a flag/ }));
  await waitFor(() => expect(edits).toEqual([{ edit: "disconnect", from: "T2", to: "D1" }]));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(backend.callsOf("undo_edit")).toHaveLength(1));
});

test("an implied dependency is removed only after a preview of the change", async () => {
  const { user, edits, backend } = await open();
  await canvas();
  await user.keyboard("x");
  await user.click(await screen.findByRole("option", { name: /implied by order/ }));
  const dialog = await screen.findByRole("dialog", { name: "Remove T1 → T2?" });
  expect(await within(dialog).findByText(/depends: none/)).toBeTruthy();
  expect(backend.callsOf("preview_edit")[0]).toMatchObject({
    edit: { edit: "disconnect", from: "T1", to: "T2" },
  });
  expect(edits).toEqual([]);
  const confirm = within(dialog).getByRole("button", { name: "Remove T1 → T2" });
  await waitFor(() => expect(confirm.getAttribute("aria-disabled")).toBe("false"));
  await user.click(confirm);
  await waitFor(() => expect(edits).toEqual([{ edit: "disconnect", from: "T1", to: "T2" }]));
});

test("Delete removes the selected edge, and Escape deselects it", async () => {
  const { user, edits } = await open();
  await canvas();
  const line = screen.getByRole("img", { name: "T6 depends on T5" });
  fireEvent.click(line);
  await user.keyboard("{Escape}{Delete}");
  expect(edits).toEqual([]);
  fireEvent.click(line);
  await user.keyboard("{Delete}");
  await waitFor(() => expect(edits).toEqual([{ edit: "disconnect", from: "T5", to: "T6" }]));
});

test("a rejected cycle is reported, and marked on the canvas until dismissed", async () => {
  const { user, backend } = await open();
  backend.answers.edit = () => {
    throw refusal(
      "usage",
      "this would create a cycle: T2 depends on T5, which depends on C1, which depends on T4, which depends on D1, which depends on T2; remove one of these dependencies first",
    );
  };
  await canvas();
  await user.keyboard("{Shift>}D{/Shift}");
  await user.type(await screen.findByRole("combobox"), "T5{Enter}");
  expect(await screen.findByText(/this would create a cycle: T2 depends on T5/)).toBeTruthy();
  const marked = () => [...document.querySelectorAll("[data-circle]")].map((one) => one.id);
  expect(marked()).toEqual(["T2", "D1", "T4", "C1", "T5"].map((id) => `graph-step-${id}`));
  expect(screen.getByRole("status").textContent).toContain("T2 ← T5 ← C1 ← T4 ← D1 ← T2");
  await user.keyboard("{Escape}");
  expect(marked()).toEqual([]);
});

test("an external change moves nodes but not the viewport, and an open list stays open", async () => {
  const shown = { view: branchy() };
  const { user, plan } = await open(shown);
  await canvas();
  const viewport = () =>
    document.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform;
  const before = viewport();
  await user.keyboard("d");
  const field = await screen.findByRole("combobox");
  await user.type(field, "wri");
  shown.view = branchy();
  shown.view.nodes.push(node("T7", { title: "Written by another", y: 672, x: 94 }));
  for (const one of shown.view.nodes) one.x += 50;
  shown.view.edges.push(edge("T6", "T7"));
  act(() => plan.outside((state) => state.tasks.pop()));
  expect(await screen.findByRole("option", { name: /Written by another/ })).toBeTruthy();
  expect((field as HTMLInputElement).value).toBe("wri");
  expect(box("T7")).toBeTruthy();
  expect(box("T1").closest<HTMLElement>(".react-flow__node")?.style.transform).toContain("144px");
  expect(viewport()).toBe(before);
});

test("the edge layer is as large as the graph, so that new edges are painted", async () => {
  const shown = { view: branchy() };
  const { plan } = await open(shown);
  const flow = await canvas();
  const size = () => [
    flow.style.getPropertyValue("--graph-width"),
    flow.style.getPropertyValue("--graph-height"),
  ];
  const extent = () => [
    `${Math.max(...shown.view.nodes.map(({ x, width }) => x + width))}px`,
    `${Math.max(...shown.view.nodes.map(({ y, height }) => y + height))}px`,
  ];
  expect(size()).toEqual(extent());
  shown.view = branchy();
  shown.view.nodes.push(node("T7", { title: "Far away", y: 1672, x: 940 }));
  shown.view.edges.push(edge("T6", "T7"));
  act(() => plan.outside((state) => state.tasks.pop()));
  expect(await screen.findByRole("img", { name: /^T7 depends on T6/ })).toBeTruthy();
  expect(size()).toEqual(extent());
  const css = readFileSync(join(__dirname, "../src/features/graph/Graph.module.css"), "utf8");
  expect(css).toMatch(/react-flow__edges\) > svg \{\s*width: var\(--graph-width\)/);
  const svg = flow.querySelector(".react-flow__edges > svg .react-flow__edge");
  expect(svg).not.toBeNull();
});

test("a read-only plan can't be connected or disconnected", async () => {
  const plan = planBackend();
  plan.isWritable = false;
  const backend = await startBackend({ ...plan.answers, graph: () => branchy() });
  restorePlace({ ...plan.place, view: "graph", task: "T2" }, () => undefined);
  render(<GraphTab />, { wrapper: backend.wrapper });
  await canvas();
  await userEvent.keyboard("dx");
  expect(screen.queryByRole("dialog")).toBe(null);
  expect(screen.queryByRole("button", { name: /Remove a dep/ })).toBe(null);
  expect(document.querySelector(".react-flow__handle.connectable")).toBe(null);
});

test("the number of steps not drawn is shown, and a group is labeled as one", async () => {
  const shown = { view: { ...grouped(), more: 12 } };
  await open(shown, "G.1");
  await canvas();
  expect(screen.getByText(/12 more steps not drawn/)).toBeTruthy();
  expect(box("G").getAttribute("aria-label")).toContain("group");
});

test("an empty plan links to the outline", async () => {
  const { user } = await open({ view: { revision: "r", nodes: [], edges: [], more: 0 } });
  expect(await screen.findByText("No steps yet")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show outline" }));
  expect(getPlace().view).toBe("outline");
});

test("a graph that failed to load says why and can be retried", async () => {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    graph: () => {
      throw refusal("failed", "The revision is not kept any more.");
    },
  });
  restorePlace({ ...plan.place, view: "graph" }, () => undefined);
  render(<GraphTab />, { wrapper: backend.wrapper });
  expect(await screen.findByText("The revision is not kept any more.")).toBeTruthy();
  backend.answers.graph = () => branchy();
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await canvas();
});

test("in the window the graph's keys are unique, and the view is restored", async () => {
  const plan = planBackend();
  const backend = await startBackend({
    ...plan.answers,
    start: () => ({ ...start, place: { ...plan.place, view: "graph", task: "T2" } }),
    window_info: () => ({ label: "main", rendering: "cpu" }),
    take_target: () => null,
    set_title: () => null,
    open_workspace: () => workspace,
    plans: () => ({ plans: [{ ...summary, plan: plan.place.plan }], left_out: [] }),
    inbox: () => [],
    graph: () => branchy(),
  });
  render(<App />, backend);
  await canvas();
  expect(screen.getByRole("tab", { name: "Graph", selected: true })).toBeTruthy();
  const keys = availableActions().map((action) => action.keys.toLowerCase());
  expect(keys).toContain("d");
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const strokes = keys.filter((key) => key.includes(" ")).map((key) => key.split(" ")[0]);
  expect(keys.filter((key) => strokes.includes(key))).toEqual([]);
  await userEvent.keyboard("vo");
  await screen.findByRole("treegrid");
  await waitFor(() =>
    expect(backend.callsOf("save_place").at(-1)).toMatchObject({ place: { view: "outline" } }),
  );
  await userEvent.keyboard("vg");
  await waitFor(async () => expect(document.activeElement).toBe(await canvas()));
});
