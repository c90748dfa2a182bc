/**
 * Drags rows. dnd-kit detects the drag and scrolls; the target is computed from the virtual list, because most rows
 * aren't mounted. By keyboard, on the handle: Space picks up and drops, up and down choose the gap,
 * left and right the depth, Escape cancels.
 */
import {
  type DragEndEvent,
  type DragMoveEvent,
  type DragStartEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { useEffect, useRef, useState } from "react";
import type { Row } from "../../api/bindings";
import { words } from "../../words";
import { depthsBetween, type Gap } from "./moves";
import type { RowWindow } from "./useRowWindow";

/** Indent of a level, in pixels. */
export const indent = 24;
/** Distance in pixels after which a click becomes a drag. */
const startAfter = 6;

export interface Dragged {
  row: Row;
  index: number;
  isByKeys: boolean;
}

export interface RowDrag {
  dragged: Dragged | null;
  gap: Gap | null;
  sensors: ReturnType<typeof useSensors>;
  onDragStart: (event: DragStartEvent) => void;
  onDragMove: (event: DragMoveEvent) => void;
  onDragEnd: (event: DragEndEvent) => void;
  onDragCancel: () => void;
}

export function useRowDrag(
  rowWindow: RowWindow,
  list: React.RefObject<HTMLElement | null>,
  onMove: (index: number, gap: Gap) => void,
): RowDrag {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [gap, setGap] = useState<Gap | null>(null);
  const pointerY = useRef(0);
  // The sensors live longer than one render, so they read the current state from here.
  const state = useRef({ dragged, gap, rowWindow });
  state.current = { dragged, gap, rowWindow };

  const clampDepth = (index: number, depth: number): Gap => {
    const { dragged: held, rowWindow: rows } = state.current;
    // The gaps around the dragged row have the rows above and below it as neighbors.
    const isHere = held !== null && (index === held.index || index === held.index + 1);
    const above = rows.row(isHere && held ? held.index - 1 : index - 1);
    const below = rows.row(isHere && held ? held.index + 1 : index);
    const [least, most] = depthsBetween(above, below);
    return { index, depth: Math.min(Math.max(depth, least), most) };
  };

  const place = (next: Gap) => {
    state.current.gap = next;
    setGap((now) => (now?.index === next.index && now.depth === next.depth ? now : next));
  };

  const followPointer = (deltaX: number) => {
    const { dragged: held, rowWindow: rows } = state.current;
    const box = list.current?.getBoundingClientRect();
    if (!held || !box) return;
    const { virtualizer, order } = rows;
    const margin = virtualizer.options.scrollMargin;
    const y = pointerY.current - box.top + margin;
    const item = virtualizer.getVirtualItemForOffset(y);
    const line = item ? (y > item.start + item.size / 2 ? item.index + 1 : item.index) : 0;
    const index = order.rowGapOf(Math.min(Math.max(line, 0), order.lines));
    const depth = held.row.depth + Math.round(deltaX / indent);
    place(clampDepth(index, Math.max(depth, 0)));
  };

  const isActive = dragged !== null;
  useEffect(() => {
    if (!isActive) return;
    const follow = (event: PointerEvent) => {
      pointerY.current = event.clientY;
    };
    window.addEventListener("pointermove", follow, { capture: true });
    return () => window.removeEventListener("pointermove", follow, { capture: true });
  }, [isActive]);

  const byKey = (code: string): boolean => {
    const { gap: at, rowWindow: rows } = state.current;
    const held = state.current.dragged;
    if (!at || !held) return false;
    if (code === "ArrowDown" || code === "ArrowUp") {
      const { order } = rows;
      const own = order.gapOf(held.index);
      let line = order.gapOf(at.index) + (code === "ArrowDown" ? 1 : -1);
      // The gaps above and below the row are treated as one, because both leave it in place.
      if (line === own + 1) line += code === "ArrowDown" ? 1 : -1;
      line = Math.min(Math.max(line, 0), order.lines);
      if (line === own + 1) line = own;
      rows.virtualizer.scrollToIndex(Math.min(line, order.lines - 1));
      place(clampDepth(order.rowGapOf(line), held.row.depth));
      return true;
    }
    if (code === "ArrowLeft" || code === "ArrowRight") {
      place(clampDepth(at.index, Math.max(0, at.depth + (code === "ArrowRight" ? 1 : -1))));
      return true;
    }
    return false;
  };

  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: startAfter } }),
    useSensor(KeyboardSensor, {
      // The target is a gap, not a point, so the row doesn't have to move on screen.
      coordinateGetter: (event, { currentCoordinates }) => {
        if (!byKey(event.code)) return undefined;
        event.preventDefault();
        return currentCoordinates;
      },
    }),
  );

  const end = () => {
    state.current.dragged = null;
    state.current.gap = null;
    setDragged(null);
    setGap(null);
  };

  return {
    dragged,
    gap,
    sensors,
    onDragStart: ({ active, activatorEvent }) => {
      const data = active.data.current as { row: Row; index: number } | undefined;
      if (!data) return;
      const isByKeys = activatorEvent instanceof KeyboardEvent;
      if (activatorEvent instanceof PointerEvent) pointerY.current = activatorEvent.clientY;
      const held = { ...data, isByKeys };
      state.current.dragged = held;
      setDragged(held);
      place({ index: data.index, depth: data.row.depth });
    },
    onDragMove: ({ delta }) => {
      if (state.current.dragged?.isByKeys === false) followPointer(delta.x);
    },
    onDragEnd: () => {
      const { dragged: held, gap: at } = state.current;
      end();
      if (held && at) onMove(held.index, at);
    },
    onDragCancel: end,
  };
}

/** Describes the target for the live region. */
export function describeGap(gap: Gap, row: (index: number) => Row | undefined): string {
  const above = row(gap.index - 1);
  const t = words.outline.drag;
  if (!above) return t.toStart;
  return gap.depth > above.depth ? t.under(above.id) : t.after(above.id, gap.depth + 1);
}
