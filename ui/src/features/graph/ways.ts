/** What a graph says about its steps: what each waits for and unblocks, which step lies beside which, and all that in words. Pure; knows nothing of the canvas. */
import type { GraphEdge, GraphNode, GraphView } from "../../api/bindings";
import { isPersons } from "../../api/who";

export interface Ways {
  /** In document order. */
  order: GraphNode[];
  node: Map<string, GraphNode>;
  /** The lines that end at a step. */
  into: Map<string, GraphEdge[]>;
  /** The lines that begin at a step. */
  from: Map<string, GraphEdge[]>;
  /** What stands in a group, without the groups inside it being opened. */
  inside: Map<string, string[]>;
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function waysOf(view: GraphView): Ways {
  const ways: Ways = {
    order: view.nodes,
    node: new Map(view.nodes.map((node) => [node.id, node])),
    into: new Map(),
    from: new Map(),
    inside: new Map(),
  };
  for (const node of view.nodes) if (node.group) put(ways.inside, node.group, node.id);
  for (const edge of view.edges) {
    if (!ways.node.has(edge.from) || !ways.node.has(edge.to)) continue;
    put(ways.into, edge.to, edge);
    put(ways.from, edge.from, edge);
  }
  return ways;
}

/** The groups around a step, the nearest first. */
export function around(ways: Ways, id: string): string[] {
  const groups: string[] = [];
  let group = ways.node.get(id)?.group ?? null;
  while (group && !groups.includes(group) && ways.node.has(group)) {
    groups.push(group);
    group = ways.node.get(group)?.group ?? null;
  }
  return groups;
}

/** All that stands in a group, at every depth. */
export function within(ways: Ways, id: string, found: Set<string> = new Set()): Set<string> {
  for (const child of ways.inside.get(id) ?? []) {
    if (found.has(child)) continue;
    found.add(child);
    within(ways, child, found);
  }
  return found;
}

/** What a step waits for (`up`) and what waits for it (`down`), directly or not. To wait for a group is to wait for all in it; what its group waits for, a step waits for too. */
export interface Relation {
  up: Set<string>;
  down: Set<string>;
  /** The lines that lead there, by `edgeKey`. */
  upEdges: Set<string>;
  downEdges: Set<string>;
}

export function edgeKey(edge: GraphEdge): string {
  return `${edge.kind} ${edge.from} ${edge.to} ${edge.label ?? ""}`;
}

export function relationOf(ways: Ways, id: string): Relation {
  const own = new Set([id, ...within(ways, id)]);
  const follow = (lines: Ways["into"], far: (edge: GraphEdge) => string) => {
    const reached = new Set<string>();
    const edges = new Set<string>();
    const open = [...own];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const place of [at, ...around(ways, at)]) {
        for (const edge of lines.get(place) ?? []) {
          const next = far(edge);
          if (own.has(next)) continue;
          edges.add(edgeKey(edge));
          for (const one of [next, ...within(ways, next)]) {
            if (reached.has(one) || own.has(one)) continue;
            reached.add(one);
            open.push(one);
          }
        }
      }
    }
    return [reached, edges] as const;
  };
  const [up, upEdges] = follow(ways.into, (edge) => edge.from);
  const [down, downEdges] = follow(ways.from, (edge) => edge.to);
  return { up, down, upEdges, downEdges };
}

export type Direction = "up" | "down" | "left" | "right" | "first" | "last";

/** The step that lies in a direction: up to what is waited for, down to what is unblocked, left and right to what stands beside it. `null`: there is none. */
export function neighbour(ways: Ways, id: string | null, direction: Direction): string | null {
  const { order } = ways;
  const here = id === null ? undefined : ways.node.get(id);
  if (!here || direction === "first") return order[0]?.id ?? null;
  if (direction === "last") return order.at(-1)?.id ?? null;
  if (direction === "up") {
    const before = (ways.into.get(here.id) ?? []).map((edge) => edge.from);
    return nearest(ways, here, before) ?? here.group;
  }
  if (direction === "down") {
    const first = ways.inside.get(here.id)?.[0];
    if (first) return first;
    for (const place of [here.id, ...around(ways, here.id)]) {
      const after = (ways.from.get(place) ?? []).map((edge) => edge.to);
      const found = nearest(ways, here, after);
      if (found) return found;
    }
    return null;
  }
  return beside(ways, here, direction === "left" ? -1 : 1);
}

const middle = (node: GraphNode) => node.x + node.width / 2;

/** The one whose middle is least far to the side; of equal ones the first in the document. */
function nearest(ways: Ways, here: GraphNode, ids: string[]): string | null {
  const nodes = ids.flatMap((id) => ways.node.get(id) ?? []);
  nodes.sort((one, other) => {
    const by = Math.abs(middle(one) - middle(here)) - Math.abs(middle(other) - middle(here));
    return by || ways.order.indexOf(one) - ways.order.indexOf(other);
  });
  return nodes[0]?.id ?? null;
}

/** The next one at the same height; where there is none, the next in the document, so that every step can be reached. */
function beside(ways: Ways, here: GraphNode, by: 1 | -1): string | null {
  const centre = here.y + here.height / 2;
  const row = ways.order.filter(
    (node) =>
      node !== here &&
      node.group === here.group &&
      node.y <= centre &&
      centre <= node.y + node.height &&
      (middle(node) - middle(here)) * by > 0,
  );
  row.sort((one, other) => (middle(one) - middle(other)) * by);
  return row[0]?.id ?? ways.order[ways.order.indexOf(here) + by]?.id ?? null;
}

/** What can be done now: nothing is left to wait for. */
export function readySteps(ways: Ways): GraphNode[] {
  return ways.order.filter((node) => node.state === "ready" && node.kind !== "group");
}

/** The next ready step behind this one; behind the last comes the first. */
export function nextReady(ways: Ways, id: string | null): string | null {
  const ready = readySteps(ways);
  const at = ways.order.findIndex((node) => node.id === id);
  const next = ready.find((node) => ways.order.indexOf(node) > at) ?? ready[0];
  return next?.id ?? null;
}

/** The way by which `from` waits for `to` already, both ends included: what a new line from `from` to `to` would close to a circle. */
export function circleBy(ways: Ways, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string>();
  const open = [from];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (at === to || around(ways, at).includes(to)) return pathOf(cameFrom, from, at);
    for (const place of [at, ...around(ways, at)]) {
      for (const edge of ways.into.get(place) ?? []) {
        for (const one of [edge.from, ...within(ways, edge.from)]) {
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

/** The steps of the circle that a refusal names: "… T1 waits for T2, which waits for T3 …". */
export function circleIn(message: string, ways: Ways): string[] {
  const said = message.match(/circle: (.*?)(?:;|$)/)?.[1];
  if (!said) return [];
  const ids = said.split(/,? (?:which )?waits for /).filter((id) => ways.node.has(id));
  return ids.length > 1 && ids[0] === ids.at(-1) ? ids.slice(0, -1) : ids;
}

/** `T1, T2 and 3 more`. */
export function listed(ids: string[], most = 4): string {
  if (ids.length <= most) return ids.join(", ");
  return `${ids.slice(0, most).join(", ")} and ${ids.length - most} more`;
}

const stateWords: Record<string, string> = {
  done: "done",
  skipped: "skipped",
  ready: "ready",
  waiting: "waiting",
};

/** What a screen reader says: "T2, Add a flag, waits for T1, ready". */
export function nodeName(ways: Ways, id: string): string {
  const node = ways.node.get(id);
  if (!node) return id;
  const before = (ways.into.get(id) ?? []).map((edge) => edge.from);
  // As it is drawn: code without its back-ticks.
  const parts = [node.id, node.title.replaceAll("`", "") || "Untitled"];
  if (node.kind !== "task") parts.push(node.kind);
  if (isPersons(node.by) && node.kind === "task") parts.push("yours");
  if (node.group) parts.push(`in ${node.group}`);
  if (before.length > 0) parts.push(`waits for ${listed([...new Set(before)])}`);
  parts.push(stateWords[node.state] ?? node.state);
  if (node.unblocks > 0) parts.push(`unblocks ${node.unblocks}`);
  if (node.findings > 0)
    parts.push(node.findings === 1 ? "1 finding" : `${node.findings} findings`);
  return parts.join(", ");
}

/** What the strip says of the chosen step: "T3 waits for T1 · unblocks 4". */
export function relationWords(ways: Ways, id: string): string {
  const node = ways.node.get(id);
  if (!node) return "";
  const before = [...new Set((ways.into.get(id) ?? []).map((edge) => edge.from))];
  const waits = before.length > 0 ? `waits for ${listed(before)}` : "waits for nothing of its own";
  const more = node.unblocks > 0 ? `unblocks ${node.unblocks}` : "unblocks nothing";
  return `${waits} · ${more}`;
}

const edgeWords: Record<string, string> = {
  depends: "",
  order: ", as the step above it",
  branch: ", as its branch",
};

/** What a line says: "T3 waits for T2". */
export function edgeName(edge: GraphEdge): string {
  if (edge.kind === "branch" && edge.label) {
    return `${edge.to} is chosen by ${edge.from}: ${edge.label}`;
  }
  return `${edge.to} waits for ${edge.from}${edgeWords[edge.kind] ?? ""}`;
}
