/** The canvas: boxes and lines from the backend's layout, what is selected, and what is drawn and cut on it. The canvas has the focus as a whole; the selected step is its active descendant. */
import {
  Background,
  type Connection,
  type EdgeTypes,
  MiniMap,
  type NodeTypes,
  type OnConnectStart,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { GraphView, Outline } from "../../api/bindings";
import { setPlace, usePlace } from "../../app/place";
import { createStore } from "../../lib/store";
import { ConflictDialog } from "../outline/ConflictDialog";
import { useMarks } from "../outline/marks";
import { openInOutline } from "../outline/showTask";
import { useSend } from "../outline/useSend";
import { CutDialog } from "./CutDialog";
import {
  broughtIntoView,
  flowEdges,
  flowNodes,
  type LineEdge,
  openingView,
  readableZoom,
  type StepNode,
  type Viewport,
} from "./flow";
import styles from "./Graph.module.css";
import { GraphBar } from "./GraphBar";
import { ArrowHeads, GraphLine } from "./GraphLine";
import { boxId, GroupFrame, StepBox } from "./GraphNode";
import { type Lit, LitContext, unlit } from "./lit";
import { useGraphActions } from "./useGraphActions";
import { useWiring } from "./useWiring";
import { type Picking, WireDialogs } from "./WireDialogs";
import { type Direction, neighbour, nextReady, relationOf, waysOf } from "./ways";

const nodeTypes: NodeTypes = { step: StepBox, frame: GroupFrame };
const edgeTypes: EdgeTypes = { line: GraphLine };

/** From how many boxes on only those in view are drawn, and from how many there is a small map. */
const manyBoxes = 150;
const mapFrom = 60;
const shortest = 0.05;
const longest = 2;

/** Where each plan's canvas stood, for as long as the window lives. */
const lastViews = new Map<string, Viewport>();

const mapSize = { width: 148, height: 104 };

/** How long the canvas glides, in milliseconds. */
function glide(): number {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160;
}

const arrows: Record<string, Direction> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
};

interface GraphCanvasProps {
  outline: Outline;
  view: GraphView;
}

export function GraphCanvas({ outline, view }: GraphCanvasProps) {
  const { plan, is_writable: isWritable } = outline;
  const place = usePlace();
  const help = useId();
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<StepNode, LineEdge> | null>(null);
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [line, setLine] = useState<string | null>(null);
  const [circle, setCircle] = useState<string[]>([]);
  const [picking, setPicking] = useState<Picking | null>(null);
  const [drawing, setDrawing] = useState<string | null>(null);
  const [isFar, setFar] = useState(false);

  const ways = useMemo(() => waysOf(view), [view]);
  const nodes = useKept<StepNode[]>((before) => flowNodes(view, ways, before), [], ways);
  const edges = useKept<LineEdge[]>((before) => flowEdges(view, before), [], view);
  const selected = place.task && ways.node.has(place.task) ? place.task : null;
  const about = hovered && ways.node.has(hovered) ? hovered : selected;
  const states = useRunStates(place.run ?? outline.run, view);
  const send = useSend(plan);
  const wiring = useWiring({ plan, view, ways, send, onCircle: setCircle });

  const [lit] = useState(() => createStore<Lit>(unlit));
  const relation = useMemo(() => (about ? relationOf(ways, about) : null), [ways, about]);
  useLayoutEffect(() => {
    lit.set({ chosen: selected, about, relation, circle, line, states });
  }, [lit, selected, about, relation, circle, line, states]);

  // Measured before the canvas is drawn, so that it opens where it stays.
  useLayoutEffect(() => {
    const { clientWidth: width, clientHeight: height } = frame.current ?? {
      clientWidth: 0,
      clientHeight: 0,
    };
    setRoom({ width, height });
  }, []);

  const firstView = useRef<Viewport | null>(null);
  if (room && !firstView.current) {
    const chosen = selected ? ways.node.get(selected) : undefined;
    firstView.current = lastViews.get(plan) ?? openingView(view.nodes, room, chosen);
  }

  const bringIntoView = useCallback(
    (id: string, duration: number) => {
      const box = ways.node.get(id);
      const at = flow.current?.getViewport();
      const element = frame.current;
      if (!box || !at || !element) return;
      const width = element.clientWidth;
      const height = element.clientHeight;
      const near = at.zoom < readableZoom ? openingView([box], { width, height }, box) : at;
      const to = broughtIntoView(near, box, { width, height });
      if (to !== at) void flow.current?.setViewport(to, { duration });
    },
    [ways],
  );

  // Selected here or anywhere else: shown. A new revision moves boxes, not the canvas.
  const shownStep = useRef(selected);
  useEffect(() => {
    if (shownStep.current === selected) return;
    shownStep.current = selected;
    if (selected) bringIntoView(selected, glide());
  }, [selected, bringIntoView]);

  const select = useCallback((task: string) => {
    setLine(null);
    setPlace({ task, editing: false });
  }, []);
  const focus = useCallback(() => {
    frame.current?.querySelector<HTMLElement>(".react-flow")?.focus({ preventScroll: true });
  }, []);
  const go = (task: string | null) => {
    if (task) select(task);
    focus();
  };
  const move = (direction: Direction) => go(neighbour(ways, selected, direction));
  const open = (task: string | null) => task && openInOutline(task);
  const connectFrom = (side: "after" | "before") =>
    selected && setPicking({ what: "connect", task: selected, side });
  const cutFrom = () => selected && setPicking({ what: "cut", task: selected });
  const zoom = useCallback((by: 1 | -1) => {
    void (by > 0 ? flow.current?.zoomIn() : flow.current?.zoomOut());
  }, []);
  const fit = useCallback(() => {
    void flow.current?.fitView({ padding: 0.06, maxZoom: 1, duration: glide() });
  }, []);
  const cutLine = () => {
    const edge = edges.find((one) => one.id === line)?.data?.edge;
    if (edge) wiring.cut(edge);
    setLine(null);
  };
  const clear = () => {
    setLine(null);
    setCircle([]);
  };

  useGraphActions({
    isWritable,
    selected,
    hasLine: line !== null && edges.some((edge) => edge.id === line),
    hasCircle: circle.length > 0,
    canUndo: outline.undo !== null,
    canRedo: outline.redo !== null,
    move,
    next: () => go(nextReady(ways, selected)),
    open: () => open(selected),
    connect: connectFrom,
    cut: cutFrom,
    cutLine,
    clear,
    zoom,
    fit,
    undo: () => void send.undo(),
    redo: () => void send.redo(),
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    heardKey(event);
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const direction = arrows[event.key];
    if (direction) move(direction);
    else if (event.key === "Enter") open(selected);
    else return;
    event.preventDefault();
  };

  const onConnectStart = useCallback<OnConnectStart>((_event, { handleType }) => {
    setHovered(null);
    setDrawing(handleType);
  }, []);
  const onConnectEnd = useCallback(() => setDrawing(null), []);
  const onConnect = useCallback(
    ({ source, target }: Connection) => wiring.connect(source, target),
    [wiring],
  );
  const isOther = useCallback(
    ({ source, target }: { source: string; target: string }) => source !== target,
    [],
  );

  return (
    <LitContext value={lit}>
      <div className={styles.graph}>
        <h1 className="pw-sr">{outline.title || "Untitled"}: what waits for what</h1>
        <p id={help} className="pw-sr">
          Arrow keys move along the lines: up to what a step waits for, down to what it unblocks,
          left and right to the steps beside it. Enter shows the step in the outline. N goes to the
          next step that is ready, D lets another step wait for this one, X cuts a line. The
          question mark lists all keys.
        </p>
        <div ref={frame} className={styles.canvas}>
          <ArrowHeads />
          {room && firstView.current && (
            <ReactFlow<StepNode, LineEdge>
              className={styles.flow}
              nodes={nodes}
              edges={edges}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              width={room.width}
              height={room.height}
              defaultViewport={firstView.current}
              minZoom={shortest}
              maxZoom={longest}
              onlyRenderVisibleElements={nodes.length > manyBoxes}
              nodesDraggable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              nodesConnectable={isWritable}
              edgesReconnectable={isWritable}
              connectOnClick={false}
              connectionDragThreshold={4}
              reconnectRadius={8}
              isValidConnection={isOther}
              panOnScroll
              zoomOnDoubleClick={false}
              disableKeyboardA11y
              deleteKeyCode={null}
              selectionKeyCode={null}
              multiSelectionKeyCode={null}
              panActivationKeyCode={null}
              proOptions={{ hideAttribution: true }}
              tabIndex={0}
              aria-label="Graph of the plan"
              aria-describedby={help}
              aria-activedescendant={selected ? boxId(selected) : undefined}
              data-by="pointer"
              data-drawing={drawing ?? undefined}
              data-far={isFar || undefined}
              onKeyDown={onKeyDown}
              onKeyUp={heardKey}
              onPointerDownCapture={(event) => {
                event.currentTarget.dataset.by = "pointer";
                focus();
              }}
              onInit={(made) => {
                flow.current = made;
                setFar(made.getZoom() < readableZoom);
                if (selected) bringIntoView(selected, 0);
                // Opened by keys: they go on here.
                if (document.activeElement?.id === "centre") focus();
              }}
              onMoveEnd={(_event, at) => {
                lastViews.set(plan, at);
                setFar(at.zoom < readableZoom);
              }}
              onNodeClick={(_event, node) => select(node.id)}
              onNodeDoubleClick={(_event, node) => open(node.id)}
              onNodeMouseEnter={(_event, node) => drawing === null && setHovered(node.id)}
              onNodeMouseLeave={() => setHovered(null)}
              onEdgeClick={(_event, edge) => setLine(edge.id)}
              onPaneClick={clear}
              onConnectStart={onConnectStart}
              onConnectEnd={onConnectEnd}
              onConnect={onConnect}
              onReconnect={
                isWritable
                  ? (edge, { source, target }) =>
                      edge.data && wiring.rewire(edge.data.edge, source, target)
                  : undefined
              }
              onReconnectEnd={(_event, edge, _type, { toNode }) => {
                if (!toNode && edge.data) wiring.cut(edge.data.edge);
              }}
            >
              <Background gap={16} size={1.2} />
              {nodes.length > mapFrom && (
                <MiniMap
                  className={styles.map}
                  style={mapSize}
                  pannable
                  zoomable
                  ariaLabel="Small map of the graph"
                  nodeClassName={mapClass}
                />
              )}
            </ReactFlow>
          )}
        </div>
        <GraphBar
          ways={ways}
          about={about}
          selected={selected}
          circle={circle}
          more={view.more}
          isWritable={isWritable}
          onSelect={select}
          onConnect={() => connectFrom("after")}
          onCut={cutFrom}
          onZoom={zoom}
          onFit={fit}
        />
      </div>
      <WireDialogs picking={picking} ways={ways} wiring={wiring} onClose={() => setPicking(null)} />
      <CutDialog plan={plan} view={view} wiring={wiring} />
      <ConflictDialog />
    </LitContext>
  );
}

/** Keys are used: from now on the canvas shows that it has the focus. */
function heardKey(event: KeyboardEvent<HTMLDivElement>): void {
  delete event.currentTarget.dataset.by;
}

const mapClass = (node: StepNode) =>
  `${styles.mapped} ${styles[`map-${node.data.node.state}`] ?? ""}`;

/** Made anew when `on` changes, from what it was before. */
function useKept<T>(make: (before: T) => T, first: T, on: unknown): T {
  const kept = useRef<{ on: unknown; value: T } | null>(null);
  const old = kept.current;
  if (old && old.on === on) return old.value;
  const value = make(old?.value ?? first);
  kept.current = { on, value };
  return value;
}

/** What the run says about each step; the same map while nothing of it changes. */
function useRunStates(run: string | null, view: GraphView): Map<string, string> {
  const marks = useMarks(run);
  const kept = useRef(unlit.states);
  const states = new Map<string, string>();
  for (const { id } of view.nodes) {
    const state = marks(id)?.state;
    if (state && state !== "ready") states.set(id, state);
  }
  const old = kept.current;
  const isSame =
    old.size === states.size && [...states].every(([id, state]) => old.get(id) === state);
  if (!isSame) kept.current = states;
  return kept.current;
}
