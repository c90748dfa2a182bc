/** What a graph says: what lies beside, above and below a step, what it waits for and unblocks, which circle a line would close, and all that in words; where the canvas opens. */
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

describe("neighbours", () => {
  const index = indexGraph(branchy());

  test("down follows the lines to what is unblocked, up to what is waited for", () => {
    expect(neighbor(index, "T1", "down")).toBe("T2");
    expect(neighbor(index, "T2", "down")).toBe("D1");
    expect(neighbor(index, "D1", "up")).toBe("T2");
    expect(neighbor(index, "T1", "up")).toBe(null);
    expect(neighbor(index, "T6", "down")).toBe(null);
  });

  test("of several the nearest to the side is taken, of equal ones the first in the file", () => {
    expect(neighbor(index, "D1", "down")).toBe("T3");
    const shifted = branchy();
    for (const one of shifted.nodes) if (one.id === "T3") one.x = -400;
    expect(neighbor(indexGraph(shifted), "D1", "down")).toBe("T4");
  });

  test("left and right go along one height, and then on in the file, so that each is reached", () => {
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

  test("without a selected step every way begins at the first", () => {
    expect(neighbor(index, null, "left")).toBe("T1");
    expect(neighbor(index, "gone", "down")).toBe("T1");
    expect(neighbor(index, "T4", "first")).toBe("T1");
    expect(neighbor(index, "T4", "last")).toBe("T6");
    expect(
      neighbor(indexGraph({ revision: "r", nodes: [], edges: [], more: 0 }), null, "down"),
    ).toBe(null);
  });

  test("a group is entered downwards and left at its end", () => {
    const inner = indexGraph(grouped());
    expect(neighbor(inner, "T1", "down")).toBe("G");
    expect(neighbor(inner, "G", "down")).toBe("G.1");
    expect(neighbor(inner, "G.1", "down")).toBe("G.2");
    expect(neighbor(inner, "G.2", "down")).toBe("T3");
    expect(neighbor(inner, "G.1", "up")).toBe("G");
    expect(neighbor(inner, "G", "up")).toBe("T1");
  });
});

describe("what a step waits for and unblocks", () => {
  test("directly or not", () => {
    const { up, down, upEdges, downEdges } = relationOf(indexGraph(branchy()), "D1");
    expect(sorted(up)).toEqual(["T1", "T2"]);
    expect(sorted(down)).toEqual(["C1", "T3", "T4", "T5", "T6"]);
    expect(upEdges.size).toBe(2);
    expect(downEdges.size).toBe(6);
  });

  test("a step waits for what its group waits for, and what waits for the group waits for it", () => {
    const index = indexGraph(grouped());
    expect(sorted(relationOf(index, "G.1").up)).toEqual(["T1"]);
    expect(sorted(relationOf(index, "G.2").up)).toEqual(["G.1", "T1"]);
    expect(sorted(relationOf(index, "G.1").down)).toEqual(["G.2", "T3"]);
    expect(sorted(relationOf(index, "T3").up)).toEqual(["G", "G.1", "G.2", "T1"]);
    expect(sorted(relationOf(index, "T1").down)).toEqual(["G", "G.1", "G.2", "T3"]);
    expect(sorted(relationOf(index, "G").up)).toEqual(["T1"]);
    expect(sorted(relationOf(index, "G").down)).toEqual(["T3"]);
  });

  test("a circle in the file does not hang it", () => {
    const view: GraphView = {
      revision: "r",
      nodes: [node("A"), node("B")],
      edges: [edge("A", "B"), edge("B", "A")],
      more: 0,
    };
    expect(sorted(relationOf(indexGraph(view), "A").up)).toEqual(["B"]);
    expect(cycleBy(indexGraph(view), "A", "B")).toEqual(["A", "B"]);
  });

  test("the next ready step is the one behind, and after the last the first", () => {
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

describe("circles", () => {
  const index = indexGraph(branchy());

  test("a line from what waits to what is waited for closes one, told in the order of waiting", () => {
    expect(cycleBy(index, "T5", "T2")).toEqual(["T5", "C1", "T3", "D1", "T2"]);
    expect(cycleBy(index, "T1", "T6")).toBe(null);
  });

  test("by way of a group too", () => {
    expect(cycleBy(indexGraph(grouped()), "G.1", "T1")).toEqual(["G.1", "T1"]);
    expect(cycleBy(indexGraph(grouped()), "T3", "G.1")?.at(-1)).toBe("G.1");
  });

  test("it is read from the ids in the refusal, in any language", () => {
    for (const said of [
      "this would create a cycle: T2 waits for T5, which waits for C1, which waits for T2; remove one of these dependencies first",
      "Das wäre ein Kreis: T2, T5, C1, T2.",
    ]) {
      expect(cycleIn(said, index)).toEqual(["T2", "T5", "C1"]);
    }
    expect(cycleIn("The file is read-only.", index)).toEqual([]);
    expect(cycleIn("T2 can't wait for T2.", index)).toEqual([]);
  });

  test("each line of it is marked, and no other", () => {
    const highlight = { ...noHighlight, cycle: ["T5", "C1", "T4", "D1", "T2"] };
    const look = (from: string, to: string) =>
      lineLook(highlight, edgeKey(edge(from, to)), from, to);
    expect(look("C1", "T5")).toBe("circle");
    expect(look("T5", "T2")).toBe("circle");
    expect(look("T3", "C1")).toBe("plain");
    expect(look("T1", "T2")).toBe("plain");
  });
});

describe("words", () => {
  const index = indexGraph(branchy());

  test("a step says its id, title, what it waits for and how far it is", () => {
    expect(nodeName(index, "T2")).toBe("T2, Add a flag, depends on T1, ready, unblocks 5 steps");
    expect(nodeName(index, "C1")).toBe(
      "C1, Review, checkpoint, depends on T3, T4, waiting, unblocks 2 steps",
    );
    expect(nodeName(index, "T5")).toContain("2 findings");
    expect(nodeName(index, "T6")).toBe("T6, Sign off, yours, depends on T5, waiting");
    expect(nodeName(indexGraph(grouped()), "G.1")).toContain("in G");
  });

  test("many ids are cut, with their number", () => {
    expect(listIds(["a", "b"])).toBe("a, b");
    expect(listIds(["a", "b", "c", "d", "e", "f"])).toBe("a, b, c, d and 2 more");
    expect(relationWords(index, "C1")).toBe("depends on T3, T4 · unblocks 2 steps");
    expect(relationWords(index, "T1")).toBe("no direct dependencies · unblocks 6 steps");
  });

  test("a line says what waits, and why where nobody wrote it", () => {
    const order: GraphEdge = { from: "T1", to: "T2", kind: "order", label: null };
    expect(edgeName(order)).toBe("T2 depends on T1, the previous step");
    const branch: GraphEdge = { from: "D1", to: "T3", kind: "branch", label: "One per line" };
    expect(edgeName(branch)).toBe("T3 is the “One per line” branch of D1");
  });
});

describe("what is drawn", () => {
  test("a box that did not change is the same object in the next revision", () => {
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

  test("a new line into a step changes its name, so its box is drawn again", () => {
    const first = branchy();
    const before = flowNodes(first, indexGraph(first), []);
    const next = { ...branchy(), edges: [...branchy().edges, edge("T1", "T6")] };
    const after = flowNodes(next, indexGraph(next), before);
    expect(after.find((one) => one.id === "T6")?.data.name).toContain("depends on T5, T1");
  });

  test("what has steps inside is a frame, whatever its kind", () => {
    const view = grouped();
    for (const one of view.nodes) if (one.id === "G") one.kind = "checkpoint";
    const types = flowNodes(view, indexGraph(view), []).map((one) => `${one.id} ${one.type}`);
    expect(types).toContain("G frame");
    expect(types).toContain("G.1 step");
  });

  test("the line of an option cannot be pulled off, and two options to one step are two lines", () => {
    const view = branchy();
    view.edges.push({ from: "D1", to: "T3", kind: "branch", label: "One per line" });
    const edges = flowEdges(view, []);
    expect(new Set(edges.map((one) => one.id)).size).toBe(edges.length);
    expect(edges.filter((one) => one.data?.edge.kind === "branch")).toSatisfy(
      (all: { reconnectable?: boolean }[]) => all.every((one) => one.reconnectable === false),
    );
  });

  test("a box is told apart by what it is to the chosen one", () => {
    const highlight = { ...noHighlight, relation: relationOf(indexGraph(branchy()), "D1") };
    expect(["T1", "D1", "T5"].map((id) => relationTo(highlight, id))).toEqual(["up", "", "down"]);
  });
});

describe("where the canvas stands", () => {
  const room = { width: 800, height: 700 };

  test("a graph that can be read as a whole is shown as a whole, in the middle", () => {
    const at = openingView(branchy().nodes, room, undefined);
    for (const one of branchy().nodes) {
      expect(one.x * at.zoom + at.x).toBeGreaterThanOrEqual(0);
      expect((one.x + one.width) * at.zoom + at.x).toBeLessThanOrEqual(room.width);
      expect((one.y + one.height) * at.zoom + at.y).toBeLessThanOrEqual(room.height);
    }
  });

  test("a long one opens as large as it can be read, at its beginning or at the selected step", () => {
    const long = Array.from({ length: 300 }, (_, at) => node(`T${at}`, { y: at * 90 }));
    const top = openingView(long, room, undefined);
    expect(top.zoom).toBe(1);
    expect(top.y).toBeGreaterThan(0);
    const chosen = long[200] as GraphNode;
    const at = openingView(long, room, chosen);
    expect(chosen.y * at.zoom + at.y).toBeGreaterThan(0);
    expect(chosen.y * at.zoom + at.y).toBeLessThan(room.height);
  });

  test("a wide and long one leaves no empty room at its edges", () => {
    const wide = Array.from({ length: 300 }, (_, at) =>
      node(`T${at}`, { x: (at % 20) * 190, y: Math.floor(at / 20) * 96 }),
    );
    const at = openingView(wide, room, undefined);
    expect([at.x, at.y]).toEqual([24, 24]);
    const last = openingView(wide, room, wide.at(-1));
    expect((19 * 190 + 148) * last.zoom + last.x).toBeCloseTo(room.width - 24);
  });

  test("a box in view moves nothing; one outside is brought in by the least way", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const box = { x: 100, y: 100, width: 148, height: 62 };
    expect(broughtIntoView(view, box, room)).toBe(view);
    const below = broughtIntoView(view, { ...box, y: 900 }, room);
    expect(below).toEqual({ x: 0, y: 700 - 24 - 962, zoom: 1 });
    expect(broughtIntoView(view, { ...box, x: -300 }, room)).toEqual({ x: 324, y: 0, zoom: 1 });
  });

  test("an empty canvas and one without room open too", () => {
    expect(openingView([], room, undefined).zoom).toBe(1);
    expect(openingView(branchy().nodes, { width: 0, height: 0 }, undefined).zoom).toBe(1);
  });
});
