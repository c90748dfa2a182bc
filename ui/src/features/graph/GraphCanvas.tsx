/** The canvas: draws the backend's layout, follows and sets the selection, and lets dependencies be drawn and removed. The canvas has focus as a whole; the selected step is its active descendant. */
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
  type CSSProperties,
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
import { words } from "../../words";
import { ConflictDialog } from "../outline/ConflictDialog";
import { openInOutline } from "../outline/showTask";
import { useSend } from "../outline/useSend";
import { CutDialog } from "./CutDialog";
import {
  broughtIntoView,
  extentOf,
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
import { type Direction, indexGraph, neighbor, nextReady, relationOf } from "./graphIndex";
import { type Highlight, HighlightContext, noHighlight } from "./highlight";
import { useGraphActions } from "./useGraphActions";
import { useGraphMenu } from "./useGraphMenu";
import { useRunStates } from "./useRunStates";
import { useWiring } from "./useWiring";
import { type Picking, WireDialogs } from "./WireDialogs";

const nodeTypes: NodeTypes = { step: StepBox, frame: GroupFrame };
const edgeTypes: EdgeTypes = { line: GraphLine };

/** Number of boxes above which only those in view are rendered. */
const manyBoxes = 150;
/** Number of boxes above which a minimap is shown. */
const mapFrom = 60;
const minZoom = 0.05;
const maxZoom = 2;

/** The last viewport of each plan, kept while the window is open. */
const lastViews = new Map<string, Viewport>();

const mapSize = { width: 148, height: 104 };

/** Duration of viewport changes, in milliseconds. */
function animationMs(): number {
  return window.matchMedia("(prefers-reduced-motion:reduce)").matches ? 0 : 160;
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
  const text = words.graph.canvas;
  const help = useId();
  const frame = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<StepNode, LineEdge> | null>(null);
  const [room, setRoom] = useState<{ width: number; height: number } | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [line, setLine] = useState<string | null>(null);
  const [cycle, setCycle] = useState<string[]>([]);
  const [picking, setPicking] = useState<Picking | null>(null);
  const [drawing, setDrawing] = useState<string | null>(null);
  const [isFar, setFar] = useState(false);

  const index = useMemo(() => indexGraph(view), [view]);
  const nodes = useDerived<StepNode[]>((before) => flowNodes(view, index, before), [], index);
  const edges = useDerived<LineEdge[]>((before) => flowEdges(view, before), [], view);
  const selected = place.task && index.node.has(place.task) ? place.task : null;
  const about = hovered && index.node.has(hovered) ? hovered : selected;
  const states = useRunStates(place.run ?? outline.run, view);
  const send = useSend(plan);
  const wiring = useWiring({ plan, view, index, send, onCycle: setCycle });

  const extent = useMemo(() => extentOf(view.nodes), [view]);

  const [highlight] = useState(() => createStore<Highlight>(noHighlight));
  const relation = useMemo(() => (about ? relationOf(index, about) : null), [index, about]);
  useLayoutEffect(() => {
    highlight.set({ chosen: selected, about, relation, cycle, line, states });
  }, [highlight, selected, about, relation, cycle, line, states]);

  // Measured before the canvas renders, so that its first viewport is final.
  useLayoutEffect(() => {
    const { clientWidth: width, clientHeight: height } = frame.current ?? {
      clientWidth: 0,
      clientHeight: 0,
    };
    setRoom({ width, height });
  }, []);

  const firstView = useRef<Viewport | null>(null);
  if (room && !firstView.current) {
    const chosen = selected ? index.node.get(selected) : undefined;
    firstView.current = lastViews.get(plan) ?? openingView(view.nodes, room, chosen);
  }

  const bringIntoView = useCallback(
    (id: string, duration: number) => {
      const box = index.node.get(id);
      const at = flow.current?.getViewport();
      const element = frame.current;
      if (!box || !at || !element) return;
      const width = element.clientWidth;
      const height = element.clientHeight;
      const near = at.zoom < readableZoom ? openingView([box], { width, height }, box) : at;
      const to = broughtIntoView(near, box, { width, height });
      if (to !== at) void flow.current?.setViewport(to, { duration });
    },
    [index],
  );

  // Scrolls to the selected step, wherever it was selected, but not when a new revision moves its box.
  const shownStep = useRef(selected);
  useEffect(() => {
    if (shownStep.current === selected) return;
    shownStep.current = selected;
    if (selected) bringIntoView(selected, animationMs());
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
  const move = (direction: Direction) => go(neighbor(index, selected, direction));
  const open = (task: string | null) => task && openInOutline(task);
  const connectFrom = (side: "after" | "before") =>
    selected && setPicking({ what: "connect", task: selected, side });
  const cutFrom = () => selected && setPicking({ what: "cut", task: selected });
  const zoom = useCallback((by: 1 | -1) => {
    void (by > 0 ? flow.current?.zoomIn() : flow.current?.zoomOut());
  }, []);
  const fit = useCallback(() => {
    void flow.current?.fitView({ padding: 0.06, maxZoom: 1, duration: animationMs() });
  }, []);
  const cutLine = () => {
    const edge = edges.find((one) => one.id === line)?.data?.edge;
    if (edge) wiring.cut(edge);
    setLine(null);
  };
  const clear = () => {
    setLine(null);
    setCycle([]);
  };

  useGraphActions({
    isWritable,
    selected,
    hasLine: line !== null && edges.some((edge) => edge.id === line),
    hasCycle: cycle.length > 0,
    canUndo: outline.undo !== null,
    canRedo: outline.redo !== null,
    move,
    next: () => go(nextReady(index, selected)),
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

  const { onContextMenu, onMenuKey, menu } = useGraphMenu({
    isWritable,
    index,
    edges,
    selected,
    select,
    selectLine: setLine,
    open: openInOutline,
    pick: setPicking,
    cut: wiring.cut,
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    onAnyKey(event);
    if (onMenuKey(event)) return;
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
    <HighlightContext value={highlight}>
      <div className={styles.graph}>
        <h1 className="pw-sr">{text.heading(outline.title || words.graph.untitled)}</h1>
        <p id={help} className="pw-sr">
          {text.help}
        </p>
        <div ref={frame} className={styles.canvas}>
          <ArrowHeads />
          {room && firstView.current && (
            <ReactFlow<StepNode, LineEdge>
              className={styles.flow}
              // See .flow in Graph.module.css.
              style={
                {
                  "--graph-width": `${extent.width}px`,
                  "--graph-height": `${extent.height}px`,
                } as CSSProperties
              }
              nodes={nodes}
              edges={edges}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              width={room.width}
              height={room.height}
              defaultViewport={firstView.current}
              minZoom={minZoom}
              maxZoom={maxZoom}
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
              aria-label={text.label}
              aria-describedby={help}
              aria-activedescendant={selected ? boxId(selected) : undefined}
              data-by="pointer"
              data-drawing={drawing ?? undefined}
              data-far={isFar || undefined}
              onKeyDown={onKeyDown}
              onKeyUp={onAnyKey}
              onContextMenu={onContextMenu}
              onPointerDownCapture={(event) => {
                event.currentTarget.dataset.by = "pointer";
                focus();
              }}
              onInit={(made) => {
                flow.current = made;
                setFar(made.getZoom() < readableZoom);
                if (selected) bringIntoView(selected, 0);
                // Takes focus if it was opened by keyboard, so that its keys work right away.
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
                  ariaLabel={text.map}
                  nodeClassName={mapClass}
                />
              )}
            </ReactFlow>
          )}
        </div>
        <GraphBar
          index={index}
          about={about}
          selected={selected}
          cycle={cycle}
          more={view.more}
          isWritable={isWritable}
          onSelect={select}
          onConnect={() => connectFrom("after")}
          onCut={cutFrom}
          onZoom={zoom}
          onFit={fit}
        />
      </div>
      <WireDialogs
        picking={picking}
        index={index}
        wiring={wiring}
        onClose={() => setPicking(null)}
      />
      {menu}
      <CutDialog plan={plan} view={view} wiring={wiring} />
      <ConflictDialog />
    </HighlightContext>
  );
}

/** Shows the focus ring of the canvas after a key press. */
function onAnyKey(event: KeyboardEvent<HTMLDivElement>): void {
  delete event.currentTarget.dataset.by;
}

const mapClass = (node: StepNode) =>
  `${styles.mapped} ${styles[`map-${node.data.node.state}`] ?? ""}`;

/** Recomputes a value from the previous one when `on` changes. */
function useDerived<T>(make: (before: T) => T, first: T, on: unknown): T {
  const kept = useRef<{ on: unknown; value: T } | null>(null);
  const old = kept.current;
  if (old && old.on === on) return old.value;
  const value = make(old?.value ?? first);
  kept.current = { on, value };
  return value;
}
