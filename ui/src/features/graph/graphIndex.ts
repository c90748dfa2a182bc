/** Lookups in a plan's graph: dependencies and dependents of a step, its neighbors on the canvas, cycles, and the text that describes steps and edges. Pure functions, independent of the canvas. */
import type { GraphEdge, GraphNode, GraphView } from "../../api/bindings";
import { isPersons } from "../../api/who";
import { words } from "../../words";

export interface GraphIndex {
  /** The steps in document order. */
  order: GraphNode[];
  node: Map<string, GraphNode>;
  /** The edges into a step, from its dependencies. */
  into: Map<string, GraphEdge[]>;
  /** The edges out of a step, to its dependents. */
  from: Map<string, GraphEdge[]>;
  /** The direct children of a group. */
  inside: Map<string, string[]>;
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function indexGraph(view: GraphView): GraphIndex {
  const index: GraphIndex = {
    order: view.nodes,
    node: new Map(view.nodes.map((node) => [node.id, node])),
    into: new Map(),
    from: new Map(),
    inside: new Map(),
  };
  for (const node of view.nodes) if (node.group) append(index.inside, node.group, node.id);
  for (const edge of view.edges) {
    if (!index.node.has(edge.from) || !index.node.has(edge.to)) continue;
    append(index.into, edge.to, edge);
    append(index.from, edge.from, edge);
  }
  return index;
}

/** The groups that contain a step, innermost first. */
export function groupsAround(index: GraphIndex, id: string): string[] {
  const groups: string[] = [];
  let group = index.node.get(id)?.group ?? null;
  while (group && !groups.includes(group) && index.node.has(group)) {
    groups.push(group);
    group = index.node.get(group)?.group ?? null;
  }
  return groups;
}

/** All steps in a group, at every depth. */
export function stepsInside(
  index: GraphIndex,
  id: string,
  found: Set<string> = new Set(),
): Set<string> {
  for (const child of index.inside.get(id) ?? []) {
    if (found.has(child)) continue;
    found.add(child);
    stepsInside(index, child, found);
  }
  return found;
}

/** The transitive dependencies (`up`) and dependents (`down`) of a step. Depending on a group means depending on all its steps, and a step inherits the dependencies of its group. */
export interface Relation {
  up: Set<string>;
  down: Set<string>;
  /** The edges between them, by `edgeKey`. */
  upEdges: Set<string>;
  downEdges: Set<string>;
}

export function edgeKey(edge: GraphEdge): string {
  return `${edge.kind} ${edge.from} ${edge.to} ${edge.label ?? ""}`;
}

export function relationOf(index: GraphIndex, id: string): Relation {
  const own = new Set([id, ...stepsInside(index, id)]);
  const follow = (lines: GraphIndex["into"], far: (edge: GraphEdge) => string) => {
    const reached = new Set<string>();
    const edges = new Set<string>();
    const open = [...own];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const place of [at, ...groupsAround(index, at)]) {
        for (const edge of lines.get(place) ?? []) {
          const next = far(edge);
          if (own.has(next)) continue;
          edges.add(edgeKey(edge));
          for (const one of [next, ...stepsInside(index, next)]) {
            if (reached.has(one) || own.has(one)) continue;
            reached.add(one);
            open.push(one);
          }
        }
      }
    }
    return [reached, edges] as const;
  };
  const [up, upEdges] = follow(index.into, (edge) => edge.from);
  const [down, downEdges] = follow(index.from, (edge) => edge.to);
  return { up, down, upEdges, downEdges };
}

export type Direction = "up" | "down" | "left" | "right" | "first" | "last";

/** The next step in a direction: up to a dependency, down to a dependent, left and right along the row. `null` if there is none. */
export function neighbor(
  index: GraphIndex,
  id: string | null,
  direction: Direction,
): string | null {
  const { order } = index;
  const here = id === null ? undefined : index.node.get(id);
  if (!here || direction === "first") return order[0]?.id ?? null;
  if (direction === "last") return order.at(-1)?.id ?? null;
  if (direction === "up") {
    const before = (index.into.get(here.id) ?? []).map((edge) => edge.from);
    return nearest(index, here, before) ?? here.group;
  }
  if (direction === "down") {
    const first = index.inside.get(here.id)?.[0];
    if (first) return first;
    for (const place of [here.id, ...groupsAround(index, here.id)]) {
      const after = (index.from.get(place) ?? []).map((edge) => edge.to);
      const found = nearest(index, here, after);
      if (found) return found;
    }
    return null;
  }
  return beside(index, here, direction === "left" ? -1 : 1);
}

const middle = (node: GraphNode) => node.x + node.width / 2;

/** Of these steps, the one with the least horizontal distance from `here`; ties go to the first in the document. */
function nearest(index: GraphIndex, here: GraphNode, ids: string[]): string | null {
  const nodes = ids.flatMap((id) => index.node.get(id) ?? []);
  nodes.sort((one, other) => {
    const by = Math.abs(middle(one) - middle(here)) - Math.abs(middle(other) - middle(here));
    return by || index.order.indexOf(one) - index.order.indexOf(other);
  });
  return nodes[0]?.id ?? null;
}

/** The next step in the same row, or else in the document, so that every step can be reached. */
function beside(index: GraphIndex, here: GraphNode, by: 1 | -1): string | null {
  const centre = here.y + here.height / 2;
  const row = index.order.filter(
    (node) =>
      node !== here &&
      node.group === here.group &&
      node.y <= centre &&
      centre <= node.y + node.height &&
      (middle(node) - middle(here)) * by > 0,
  );
  row.sort((one, other) => (middle(one) - middle(other)) * by);
  return row[0]?.id ?? index.order[index.order.indexOf(here) + by]?.id ?? null;
}

/** The steps whose dependencies are all done. */
export function readySteps(index: GraphIndex): GraphNode[] {
  return index.order.filter((node) => node.state === "ready" && node.kind !== "group");
}

/** The next ready step after this one, starting over after the last. */
export function nextReady(index: GraphIndex, id: string | null): string | null {
  const ready = readySteps(index);
  const at = index.order.findIndex((node) => node.id === id);
  const next = ready.find((node) => index.order.indexOf(node) > at) ?? ready[0];
  return next?.id ?? null;
}

/** The path by which `from` already depends on `to`, both included. A new edge from `from` to `to` would turn it into a cycle. */
export function cycleBy(index: GraphIndex, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const open = [from];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at === to || groupsAround(index, at).includes(to)) return pathOf(cameFrom, from, at);
    for (const place of [at, ...groupsAround(index, at)]) {
      for (const edge of index.into.get(place) ?? []) {
        for (const one of [edge.from, ...stepsInside(index, edge.from)]) {
          if (one === from || cameFrom.has(one)) continue;
          cameFrom.set(one, at);
          open.push(one);
        }
      }
    }
  }
  return null;
}

function pathOf(cameFrom: Map<string, string>, from: string, to: string): string[] {
  const path = [to];
  for (let at = to; at !== from; ) {
    const before = cameFrom.get(at);
    if (before === undefined) break;
    path.unshift(before);
    at = before;
  }
  return path;
}

/** The steps of the cycle that a refusal names. Only looks for ids, so it works in any language. */
export function cycleIn(message: string, index: GraphIndex): string[] {
  const ids = message.split(/[\s,;:.()“”"]+/).filter((word) => index.node.has(word));
  return ids.length > 2 && ids[0] === ids.at(-1) ? ids.slice(0, -1) : [];
}

/** `T1, T2 and 3 more`. */
export function listIds(ids: string[], max = 4): string {
  if (ids.length <= max) return ids.join(", ");
  return words.graph.node.andMore(ids.slice(0, max).join(", "), ids.length - max);
}

/** A step's accessible name: "T2, Add a flag, depends on T1, ready". */
export function nodeName(index: GraphIndex, id: string): string {
  const node = index.node.get(id);
  if (!node) return id;
  const before = (index.into.get(id) ?? []).map((edge) => edge.from);
  const { kinds, states, yours, inGroup, dependsOn, unblocks, findings } = words.graph.node;
  // The title as drawn, without the backticks around code.
  const parts = [node.id, node.title.replaceAll("`", "") || words.graph.untitled];
  if (node.kind !== "task") parts.push(kinds[node.kind] ?? node.kind);
  if (isPersons(node.by) && node.kind === "task") parts.push(yours);
  if (node.group) parts.push(inGroup(node.group));
  if (before.length > 0) parts.push(dependsOn(listIds([...new Set(before)])));
  parts.push(states[node.state] ?? node.state);
  if (node.unblocks > 0) parts.push(unblocks(node.unblocks));
  if (node.findings > 0) parts.push(findings(node.findings));
  return parts.join(", ");
}

/** A step's relations in the strip below the canvas: "depends on T1 · unblocks 4 steps". */
export function relationWords(index: GraphIndex, id: string): string {
  const node = index.node.get(id);
  if (!node) return "";
  const before = [...new Set((index.into.get(id) ?? []).map((edge) => edge.from))];
  const { dependsOn, noDependencies, unblocks, unblocksNothing } = words.graph.node;
  const dependencies = before.length > 0 ? dependsOn(listIds(before)) : noDependencies;
  const dependents = node.unblocks > 0 ? unblocks(node.unblocks) : unblocksNothing;
  return `${dependencies} · ${dependents}`;
}

/** An edge's accessible name: "T3 depends on T2". */
export function edgeName({ kind, from, to, label }: GraphEdge): string {
  const { dependsOn, byOrder, branch, option } = words.graph.edge;
  if (kind === "branch") return label ? option(to, from, label) : branch(to, from);
  return kind === "order" ? byOrder(to, from) : dependsOn(to, from);
}
