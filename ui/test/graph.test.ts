/** Graph lookups: neighbors, dependencies and dependents, cycles that an edge would create, labels, reuse of unchanged nodes, and the initial viewport. */
import { describe, expect, test } from "vitest";
import type { GraphEdge, GraphNode, GraphView } from "../src/api/bindings";
import { broughtIntoView, flowEdges, flowNodes, openingView } from "../src/features/graph/flow";
import {
  cycleBy,
  cycleIn,
  edgeKey,
  edgeName,
  indexGraph,
  listIds,
  neighbor,
  nextReady,
  nodeName,
  relationOf,
  relationWords,
} from "../src/features/graph/graphIndex";
import { lineLook, noHighlight, relationTo } from "../src/features/graph/highlight";
import { branchy, edge, grouped, node } from "./graph.fixtures";

const sorted = (ids: Iterable<string>) => [...ids].sort();

describe("neighbors", () => {
  const index = indexGraph(branchy());

  test("down goes to dependents, up to dependencies", () => {
    expect(neighbor(index, "T1", "down")).toBe("T2");
    expect(neighbor(index, "T2", "down")).toBe("D1");
    expect(neighbor(index, "D1", "up")).toBe("T2");
    expect(neighbor(index, "T1", "up")).toBe(null);
    expect(neighbor(index, "T6", "down")).toBe(null);
  });

  test("the horizontally nearest of several is chosen; ties go to the first in the file", () => {
    expect(neighbor(index, "D1", "down")).toBe("T3");
    const shifted = branchy();
    for (const one of shifted.nodes) if (one.id === "T3") one.x = -400;
    expect(neighbor(indexGraph(shifted), "D1", "down")).toBe("T4");
  });

  test("left and right stay on the same level, then follow file order, so that every step is reachable", () => {
    expect(neighbor(index, "T3", "right")).toBe("T4");
    expect(neighbor(index, "T4", "left")).toBe("T3");
    expect(neighbor(index, "T4", "right")).toBe("C1");
    expect(neighbor(index, "T6", "right")).toBe(null);
    const reached = ["T1"];
    for (let at = reached[0]; at; ) {
      const next = neighbor(index, at, "right");
      if (next) reached.push(next);
      at = next ?? undefined;
    }
    expect(reached).toEqual(branchy().nodes.map((one) => one.id));
  });

  test("without a selected step every direction starts at the first", () => {
    expect(neighbor(index, null, "left")).toBe("T1");
    expect(neighbor(index, "gone", "down")).toBe("T1");
    expect(neighbor(index, "T4", "first")).toBe("T1");
    expect(neighbor(index, "T4", "last")).toBe("T6");
    expect(
      neighbor(indexGraph({ revision: "r", nodes: [], edges: [], more: 0 }), null, "down"),
    ).toBe(null);
  });

  test("down enters a group, and leaves it after its last step", () => {
    const inner = indexGraph(grouped());
    expect(neighbor(inner, "T1", "down")).toBe("G");
    expect(neighbor(inner, "G", "down")).toBe("G.1");
    expect(neighbor(inner, "G.1", "down")).toBe("G.2");
    expect(neighbor(inner, "G.2", "down")).toBe("T3");
    expect(neighbor(inner, "G.1", "up")).toBe("G");
    expect(neighbor(inner, "G", "up")).toBe("T1");
  });
});

describe("dependencies and dependents", () => {
  test("include transitive ones", () => {
    const { up, down, upEdges, downEdges } = relationOf(indexGraph(branchy()), "D1");
    expect(sorted(up)).toEqual(["T1", "T2"]);
    expect(sorted(down)).toEqual(["C1", "T3", "T4", "T5", "T6"]);
    expect(upEdges.size).toBe(2);
    expect(downEdges.size).toBe(6);
  });

  test("steps of a group inherit its dependencies and dependents", () => {
    const index = indexGraph(grouped());
    expect(sorted(relationOf(index, "G.1").up)).toEqual(["T1"]);
    expect(sorted(relationOf(index, "G.2").up)).toEqual(["G.1", "T1"]);
    expect(sorted(relationOf(index, "G.1").down)).toEqual(["G.2", "T3"]);
    expect(sorted(relationOf(index, "T3").up)).toEqual(["G", "G.1", "G.2", "T1"]);
    expect(sorted(relationOf(index, "T1").down)).toEqual(["G", "G.1", "G.2", "T3"]);
    expect(sorted(relationOf(index, "G").up)).toEqual(["T1"]);
    expect(sorted(relationOf(index, "G").down)).toEqual(["T3"]);
  });

  test("a cycle in the file causes no infinite loop", () => {
    const view: GraphView = {
      revision: "r",
      nodes: [node("A"), node("B")],
      edges: [edge("A", "B"), edge("B", "A")],
      more: 0,
    };
    expect(sorted(relationOf(indexGraph(view), "A").up)).toEqual(["B"]);
    expect(cycleBy(indexGraph(view), "A", "B")).toEqual(["A", "B"]);
  });

  test("the next ready step is the next in the file, wrapping around at the end", () => {
    const view = branchy();
    for (const one of view.nodes) one.state = ["T2", "T5"].includes(one.id) ? "ready" : "waiting";
    const index = indexGraph(view);
    expect(nextReady(index, null)).toBe("T2");
    expect(nextReady(index, "T2")).toBe("T5");
    expect(nextReady(index, "T5")).toBe("T2");
    for (const one of view.nodes) one.state = "waiting";
    expect(nextReady(indexGraph(view), "T1")).toBe(null);
  });
});

describe("cycles", () => {
  const index = indexGraph(branchy());

  test("an edge from a dependent to its dependency closes a cycle, listed in dependency order", () => {
    expect(cycleBy(index, "T5", "T2")).toEqual(["T5", "C1", "T3", "D1", "T2"]);
    expect(cycleBy(index, "T1", "T6")).toBe(null);
  });

  test("are found through a group too", () => {
    expect(cycleBy(indexGraph(grouped()), "G.1", "T1")).toEqual(["G.1", "T1"]);
    expect(cycleBy(indexGraph(grouped()), "T3", "G.1")?.at(-1)).toBe("G.1");
  });

  test("are read from the ids in the error message, in any language", () => {
    for (const said of [
      "this would create a cycle: T2 depends on T5, which depends on C1, which depends on T2; remove one of these dependencies first",
      "Das wäre ein Kreis: T2, T5, C1, T2.",
    ]) {
      expect(cycleIn(said, index)).toEqual(["T2", "T5", "C1"]);
    }
    expect(cycleIn("The file is read-only.", index)).toEqual([]);
    expect(cycleIn("T2 can't depend on T2.", index)).toEqual([]);
  });

  test("mark each of their edges, and no others", () => {
    const highlight = { ...noHighlight, cycle: ["T5", "C1", "T4", "D1", "T2"] };
    const look = (from: string, to: string) =>
      lineLook(highlight, edgeKey(edge(from, to)), from, to);
    expect(look("C1", "T5")).toBe("circle");
    expect(look("T5", "T2")).toBe("circle");
    expect(look("T3", "C1")).toBe("plain");
    expect(look("T1", "T2")).toBe("plain");
  });
});

describe("labels", () => {
  const index = indexGraph(branchy());

  test("a step's label has its id, title, dependencies and state", () => {
    expect(nodeName(index, "T2")).toBe("T2, Add a flag, depends on T1, ready, unblocks 5 steps");
    expect(nodeName(index, "C1")).toBe(
      "C1, Review, checkpoint, depends on T3, T4, waiting, unblocks 2 steps",
    );
    expect(nodeName(index, "T5")).toContain("2 findings");
    expect(nodeName(index, "T6")).toBe("T6, Sign off, yours, depends on T5, waiting");
    expect(nodeName(indexGraph(grouped()), "G.1")).toContain("in G");
  });

  test("long id lists are shortened, with the number of the rest", () => {
    expect(listIds(["a", "b"])).toBe("a, b");
    expect(listIds(["a", "b", "c", "d", "e", "f"])).toBe("a, b, c, d and 2 more");
    expect(relationWords(index, "C1")).toBe("depends on T3, T4 · unblocks 2 steps");
    expect(relationWords(index, "T1")).toBe("no direct dependencies · unblocks 6 steps");
  });

  test("an edge's label names the dependent, and the reason for an implied edge", () => {
    const order: GraphEdge = { from: "T1", to: "T2", kind: "order", label: null };
    expect(edgeName(order)).toBe("T2 depends on T1, the previous step");
    const branch: GraphEdge = { from: "D1", to: "T3", kind: "branch", label: "One per line" };
    expect(edgeName(branch)).toBe("T3 is the “One per line” branch of D1");
  });
});

describe("nodes and edges", () => {
  test("an unchanged node is the same object in the next revision", () => {
    const first = branchy();
    const before = flowNodes(first, indexGraph(first), []);
    const next = branchy();
    const changed = next.nodes.find((one) => one.id === "T5") as GraphNode;
    changed.x += 40;
    const after = flowNodes(next, indexGraph(next), before);
    const same = after.filter((one, at) => one === before[at]).map((one) => one.id);
    expect(same).toEqual(["T1", "T2", "D1", "T3", "T4", "C1", "T6"]);
    expect(after.find((one) => one.id === "T5")?.position).toEqual({ x: changed.x, y: changed.y });
  });

  test("a new edge into a step changes its label, so its node is re-rendered", () => {
    const first = branchy();
    const before = flowNodes(first, indexGraph(first), []);
    const next = { ...branchy(), edges: [...branchy().edges, edge("T1", "T6")] };
    const after = flowNodes(next, indexGraph(next), before);
    expect(after.find((one) => one.id === "T6")?.data.name).toContain("depends on T5, T1");
  });

  test("a step with steps inside is a frame, whatever its kind", () => {
    const view = grouped();
    for (const one of view.nodes) if (one.id === "G") one.kind = "checkpoint";
    const types = flowNodes(view, indexGraph(view), []).map((one) => `${one.id} ${one.type}`);
    expect(types).toContain("G frame");
    expect(types).toContain("G.1 step");
  });

  test("an option's edge can't be detached, and two options to one step are two edges", () => {
    const view = branchy();
    view.edges.push({ from: "D1", to: "T3", kind: "branch", label: "One per line" });
    const edges = flowEdges(view, []);
    expect(new Set(edges.map((one) => one.id)).size).toBe(edges.length);
    expect(edges.filter((one) => one.data?.edge.kind === "branch")).toSatisfy(
      (all: { reconnectable?: boolean }[]) => all.every((one) => one.reconnectable === false),
    );
  });

  test("a node is classified by its relation to the selected one", () => {
    const highlight = { ...noHighlight, relation: relationOf(indexGraph(branchy()), "D1") };
    expect(["T1", "D1", "T5"].map((id) => relationTo(highlight, id))).toEqual(["up", "", "down"]);
  });
});

describe("viewport", () => {
  const room = { width: 800, height: 700 };

  test("a graph that fits at a readable size is shown in full", () => {
    const at = openingView(branchy().nodes, room, undefined);
    for (const one of branchy().nodes) {
      expect(one.x * at.zoom + at.x).toBeGreaterThanOrEqual(0);
      expect((one.x + one.width) * at.zoom + at.x).toBeLessThanOrEqual(room.width);
      expect((one.y + one.height) * at.zoom + at.y).toBeLessThanOrEqual(room.height);
    }
  });

  test("a long graph opens at full size, at its start or at the selected step", () => {
    const long = Array.from({ length: 300 }, (_, at) => node(`T${at}`, { y: at * 90 }));
    const top = openingView(long, room, undefined);
    expect(top.zoom).toBe(1);
    expect(top.y).toBeGreaterThan(0);
    const chosen = long[200] as GraphNode;
    const at = openingView(long, room, chosen);
    expect(chosen.y * at.zoom + at.y).toBeGreaterThan(0);
    expect(chosen.y * at.zoom + at.y).toBeLessThan(room.height);
  });

  test("a wide and long graph leaves no empty space at its edges", () => {
    const wide = Array.from({ length: 300 }, (_, at) =>
      node(`T${at}`, { x: (at % 20) * 190, y: Math.floor(at / 20) * 96 }),
    );
    const at = openingView(wide, room, undefined);
    expect([at.x, at.y]).toEqual([24, 24]);
    const last = openingView(wide, room, wide.at(-1));
    expect((19 * 190 + 148) * last.zoom + last.x).toBeCloseTo(room.width - 24);
  });

  test("a visible node moves nothing; the viewport moves just enough to show a hidden one", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const box = { x: 100, y: 100, width: 148, height: 62 };
    expect(broughtIntoView(view, box, room)).toBe(view);
    const below = broughtIntoView(view, { ...box, y: 900 }, room);
    expect(below).toEqual({ x: 0, y: 700 - 24 - 962, zoom: 1 });
    expect(broughtIntoView(view, { ...box, x: -300 }, room)).toEqual({ x: 324, y: 0, zoom: 1 });
  });

  test("an empty graph, or a canvas without a size, opens too", () => {
    expect(openingView([], room, undefined).zoom).toBe(1);
    expect(openingView(branchy().nodes, { width: 0, height: 0 }, undefined).zoom).toBe(1);
  });
});
