/** Graphs for tests: the sample plan, and one with a group. */
import type { GraphEdge, GraphNode, GraphView } from "../src/api/bindings";

export function node(id: string, more: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    kind: "task",
    title: `Title of ${id}`,
    group: null,
    by: "agent",
    state: "waiting",
    unblocks: 0,
    findings: 0,
    severity: null,
    x: 0,
    y: 0,
    width: 148,
    height: 62,
    ...more,
  };
}

export function edge(from: string, to: string, kind = "depends"): GraphEdge {
  return { from, to, kind, label: null };
}

/** T1 → T2 → D1 → (T3 | T4) → C1 → T5 → T6. */
export function branchy(): GraphView {
  return {
    revision: "r1",
    nodes: [
      node("T1", { title: "Find the rows", state: "done", x: 94, y: 0, unblocks: 6 }),
      node("T2", { title: "Add a flag", state: "ready", x: 94, y: 96, unblocks: 5 }),
      node("D1", { title: "Which layout?", kind: "decision", x: 94, y: 192, unblocks: 5 }),
      node("T3", { title: "One per row", x: 0, y: 288, unblocks: 3 }),
      node("T4", { title: "One array", x: 188, y: 288, unblocks: 3 }),
      node("C1", { title: "Review", kind: "checkpoint", x: 94, y: 384, unblocks: 2 }),
      node("T5", {
        title: "Update the docs",
        x: 94,
        y: 480,
        unblocks: 1,
        findings: 2,
        severity: "major",
      }),
      node("T6", { title: "Sign off", by: "person", x: 94, y: 576 }),
    ],
    edges: [
      edge("T1", "T2", "order"),
      edge("T2", "D1"),
      { from: "D1", to: "T3", kind: "branch", label: "One per line" },
      { from: "D1", to: "T4", kind: "branch", label: "One array" },
      edge("T3", "C1"),
      edge("T4", "C1"),
      edge("C1", "T5"),
      edge("T5", "T6"),
    ],
    more: 0,
  };
}

/** T1 → group G (G.1 → G.2) → T3. */
export function grouped(): GraphView {
  return {
    revision: "g1",
    nodes: [
      node("T1", { y: 0, x: 20 }),
      node("G", { kind: "group", y: 96, width: 188, height: 220 }),
      node("G.1", { group: "G", x: 20, y: 132 }),
      node("G.2", { group: "G", x: 20, y: 228 }),
      node("T3", { y: 350, x: 20 }),
    ],
    edges: [edge("T1", "G"), edge("G.1", "G.2"), edge("G", "T3")],
    more: 0,
  };
}
