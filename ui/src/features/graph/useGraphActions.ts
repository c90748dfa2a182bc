/** The graph's actions, for keys, palette and key list. The canvas handles the arrow keys itself. */
import { useMemo, useRef } from "react";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";
import type { Direction } from "./graphIndex";

export interface GraphCommands {
  isWritable: boolean;
  /** The selected step, if it is in the graph. */
  selected: string | null;
  hasLine: boolean;
  hasCycle: boolean;
  canUndo: boolean;
  canRedo: boolean;
  move: (direction: Direction) => void;
  next: () => void;
  open: () => void;
  connect: (side: "after" | "before") => void;
  cut: () => void;
  cutLine: () => void;
  clear: () => void;
  zoom: (by: 1 | -1) => void;
  fit: () => void;
  undo: () => void;
  redo: () => void;
}

export function useGraphActions(commands: GraphCommands): void {
  const now = useRef(commands);
  now.current = commands;

  useActions(
    useMemo<Action[]>(() => {
      const titles = words.graph.actions;
      const hasStep = () => now.current.selected !== null;
      const canWire = () => hasStep() && now.current.isWritable;
      const move = (id: string, title: string, keys: string, direction: Direction): Action => ({
        id: `graph.${id}`,
        title,
        group: "step",
        keys,
        run: () => now.current.move(direction),
      });
      return [
        move("down", titles.down, "j", "down"),
        move("up", titles.up, "k", "up"),
        move("left", titles.left, "h", "left"),
        move("right", titles.right, "l", "right"),
        {
          id: "graph.next",
          title: titles.next,
          group: "step",
          keys: "n",
          run: () => now.current.next(),
        },
        {
          id: "graph.open",
          title: titles.open,
          group: "step",
          keys: "e",
          when: hasStep,
          run: () => now.current.open(),
        },
        {
          id: "graph.connect",
          title: titles.connectAfter,
          group: "edit",
          keys: "d",
          when: canWire,
          run: () => now.current.connect("after"),
        },
        {
          id: "graph.connectBefore",
          title: titles.connectBefore,
          group: "edit",
          keys: "shift+d",
          when: canWire,
          run: () => now.current.connect("before"),
        },
        {
          id: "graph.cut",
          title: titles.removeDependency,
          group: "edit",
          keys: "x",
          when: canWire,
          run: () => now.current.cut(),
        },
        {
          id: "graph.cutLine",
          title: titles.removeSelected,
          group: "edit",
          keys: "Delete",
          when: () => now.current.hasLine && now.current.isWritable,
          run: () => now.current.cutLine(),
        },
        {
          id: "graph.clear",
          title: titles.clear,
          group: "step",
          keys: "Escape",
          when: () => now.current.hasLine || now.current.hasCycle,
          run: () => now.current.clear(),
        },
        {
          id: "graph.fit",
          title: words.graph.bar.fit,
          group: "go",
          keys: "f",
          run: () => now.current.fit(),
        },
        {
          id: "graph.zoomIn",
          title: words.graph.bar.zoomIn,
          group: "go",
          keys: "+",
          run: () => now.current.zoom(1),
        },
        {
          id: "graph.zoomOut",
          title: words.graph.bar.zoomOut,
          group: "go",
          keys: "-",
          run: () => now.current.zoom(-1),
        },
        {
          id: "graph.undo",
          title: titles.undo,
          group: "edit",
          keys: "mod+z",
          when: () => now.current.canUndo,
          run: () => now.current.undo(),
        },
        {
          id: "graph.redo",
          title: titles.redo,
          group: "edit",
          keys: "mod+shift+z",
          when: () => now.current.canRedo,
          run: () => now.current.redo(),
        },
      ];
    }, []),
  );
}
