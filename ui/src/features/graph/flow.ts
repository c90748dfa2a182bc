/** Converts the graph to React Flow's nodes and edges, with fixed positions and sizes so that the first frame needs no measuring. Computes viewports too. */
import { type Edge, type Node, Position } from "@xyflow/react";
import type { GraphEdge, GraphNode, GraphView } from "../../api/bindings";
import { edgeKey, edgeName, type GraphIndex, nodeName } from "./graphIndex";

export type StepData = { node: GraphNode; name: string };
export type StepNode = Node<StepData, "step" | "frame">;
export type LineData = { edge: GraphEdge };
export type LineEdge = Edge<LineData, "line">;

/** Diameter of a handle, from which dependencies are drawn, in pixels. */
export const handleSize = 8;

const roleDescription = "aria-roledescription";

/** The nodes. An unchanged node stays the same object, so it isn't rendered again. */
export function flowNodes(view: GraphView, index: GraphIndex, before: StepNode[]): StepNode[] {
  const known = new Map(before.map((node) => [node.id, node]));
  return view.nodes.map((node) => {
    const name = nodeName(index, node.id);
    const old = known.get(node.id);
    const isFrame = node.kind === "group" || index.inside.has(node.id);
    const isOld = old?.data.name === name && old.type === (isFrame ? "frame" : "step");
    return old && isOld && isSame(old.data.node, node) ? old : flowNode(node, name, isFrame);
  });
}

function isSame(one: GraphNode, other: GraphNode): boolean {
  return (Object.keys(one) as (keyof GraphNode)[]).every((key) => one[key] === other[key]);
}

function flowNode(node: GraphNode, name: string, isFrame: boolean): StepNode {
  const { width, height } = node;
  const half = handleSize / 2;
  const handle = { width: handleSize, height: handleSize, x: width / 2 - half };
  return {
    id: node.id,
    type: isFrame ? "frame" : "step",
    position: { x: node.x, y: node.y },
    width,
    height,
    measured: { width, height },
    handles: [
      { ...handle, type: "target", position: Position.Top, y: -half },
      { ...handle, type: "source", position: Position.Bottom, y: height - half },
    ],
    // A frame lies behind the lines, and clicks go through it to the steps inside.
    ...(isFrame && { zIndex: -1, style: { pointerEvents: "none" as const } }),
    // The box inside the node has the ARIA role and name, so the node itself has none.
    domAttributes: { [roleDescription]: undefined },
    data: { node, name },
  };
}

export function flowEdges(view: GraphView, before: LineEdge[]): LineEdge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]));
  const seen = new Map<string, number>();
  return view.edges.map((edge) => {
    const key = edgeKey(edge);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    const id = count ? `${key} ${count}` : key;
    return (
      known.get(id) ?? {
        id,
        type: "line",
        source: edge.from,
        target: edge.to,
        // The branches of a decision are edited in the decision.
        reconnectable: edge.kind !== "branch",
        ariaLabel: edgeName(edge),
        data: { edge },
      }
    );
  });
}

/** The width and height that the nodes take up, from the origin. */
export function extentOf(nodes: Sized[]): { width: number; height: number } {
  return {
    width: Math.ceil(Math.max(0, ...nodes.map((node) => node.x + node.width))),
    height: Math.ceil(Math.max(0, ...nodes.map((node) => node.y + node.height))),
  };
}

export interface Sized {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Viewport {
  x: number;
  y: number;
  zoom: number;
}

/** Empty margin around the graph, in pixels. */
const margin = 24;
/** Zoom below which text is illegible. */
export const readableZoom = 0.45;

/** The first viewport: the whole graph if that is legible, otherwise up to its full width, with the selected step or the start in view. */
export function openingView(
  nodes: Sized[],
  room: { width: number; height: number },
  chosen: Sized | undefined,
): Viewport {
  const first = nodes[0];
  if (!first || room.width <= 0 || room.height <= 0) return { x: margin, y: margin, zoom: 1 };
  const left = Math.min(...nodes.map((node) => node.x));
  const top = Math.min(...nodes.map((node) => node.y));
  const width = Math.max(...nodes.map((node) => node.x + node.width)) - left;
  const height = Math.max(...nodes.map((node) => node.y + node.height)) - top;
  const byWidth = (room.width - 2 * margin) / Math.max(width, 1);
  const byHeight = (room.height - 2 * margin) / Math.max(height, 1);
  const all = Math.min(byWidth, byHeight, 1);
  const centred = (zoom: number) => (room.width - width * zoom) / 2 - left * zoom;
  if (all >= readableZoom) return { x: centred(all), y: margin - top * all, zoom: all };
  const zoom = Math.min(Math.max(byWidth, 0.7), 1);
  const at = chosen ?? first;
  // Centers the box, but leaves no empty space beyond the graph's edges.
  const clamped = (middle: number, start: number, size: number, length: number) => {
    const wanted = length / 2 - middle * zoom;
    const most = margin - start * zoom;
    return Math.min(most, Math.max(wanted, length - margin - (start + size) * zoom));
  };
  const fits = width * zoom <= room.width - 2 * margin;
  return {
    x: fits ? centred(zoom) : clamped(at.x + at.width / 2, left, width, room.width),
    y: clamped(at.y + at.height / 2, top, height, room.height),
    zoom,
  };
}

/** Scrolls as little as possible to bring a box into view; returns the same object if it already is. A box larger than the viewport is aligned with its start. */
export function broughtIntoView(
  view: Viewport,
  box: Sized,
  room: { width: number; height: number },
): Viewport {
  const shift = (start: number, size: number, length: number, offset: number) => {
    const near = start * view.zoom + offset;
    const far = near + size * view.zoom;
    if (near < margin || size * view.zoom > length - 2 * margin) {
      return near >= margin && near < length - 2 * margin ? 0 : margin - near;
    }
    return far > length - margin ? length - margin - far : 0;
  };
  const dx = shift(box.x, box.width, room.width, view.x);
  const dy = shift(box.y, box.height, room.height, view.y);
  return dx || dy ? { ...view, x: view.x + dx, y: view.y + dy } : view;
}
