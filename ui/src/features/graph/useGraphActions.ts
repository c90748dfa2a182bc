/** The graph's actions: keys, palette and `?` sheet in one place. The arrow keys of the canvas are their other keys. */
import { useMemo, useRef } from "react";
import { type Action, useActions } from "../../app/keys";
import type { Direction } from "./ways";

export interface Doing {
  isWritable: boolean;
  /** The selected step, if it is drawn. */
  selected: string | null;
  hasLine: boolean;
  hasCircle: boolean;
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

export function useGraphActions(doing: Doing): void {
  const now = useRef(doing);
  now.current = doing;

  useActions(
    useMemo<Action[]>(() => {
      const hasStep = () => now.current.selected !== null;
      const canWire = () => hasStep() && now.current.isWritable;
      const move = (id: string, title: string, keys: string, direction: Direction): Action => ({
        id: `graph.${id}`,
        title,
        group: "Step",
        keys,
        run: () => now.current.move(direction),
      });
      return [
        move("down", "Go to what the selected step unblocks", "j", "down"),
        move("up", "Go to what the selected step waits for", "k", "up"),
        move("left", "Go to the step left of it", "h", "left"),
        move("right", "Go to the step right of it", "l", "right"),
        {
          id: "graph.next",
          title: "Go to the next step that is ready",
          group: "Step",
          keys: "n",
          run: () => now.current.next(),
        },
        {
          id: "graph.open",
          title: "Show the selected step in the outline",
          group: "Step",
          keys: "e",
          when: hasStep,
          run: () => now.current.open(),
        },
        {
          id: "graph.connect",
          title: "Let another step wait for the selected one…",
          group: "Edit",
          keys: "d",
          when: canWire,
          run: () => now.current.connect("after"),
        },
        {
          id: "graph.connectBefore",
          title: "Let the selected step wait for another…",
          group: "Edit",
          keys: "shift+d",
          when: canWire,
          run: () => now.current.connect("before"),
        },
        {
          id: "graph.cut",
          title: "Cut a line of the selected step…",
          group: "Edit",
          keys: "x",
          when: canWire,
          run: () => now.current.cut(),
        },
        {
          id: "graph.cutLine",
          title: "Cut the selected line",
          group: "Edit",
          keys: "Delete",
          when: () => now.current.hasLine && now.current.isWritable,
          run: () => now.current.cutLine(),
        },
        {
          id: "graph.clear",
          title: "Let go of the line and of the marked circle",
          group: "Step",
          keys: "Escape",
          when: () => now.current.hasLine || now.current.hasCircle,
          run: () => now.current.clear(),
        },
        {
          id: "graph.fit",
          title: "Show the whole graph",
          group: "Go to",
          keys: "f",
          run: () => now.current.fit(),
        },
        {
          id: "graph.zoomIn",
          title: "Show the graph larger",
          group: "Go to",
          keys: "+",
          run: () => now.current.zoom(1),
        },
        {
          id: "graph.zoomOut",
          title: "Show the graph smaller",
          group: "Go to",
          keys: "-",
          run: () => now.current.zoom(-1),
        },
        {
          id: "graph.undo",
          title: "Take the last edit back",
          group: "Edit",
          keys: "mod+z",
          when: () => now.current.canUndo,
          run: () => now.current.undo(),
        },
        {
          id: "graph.redo",
          title: "Make the edit again that was taken back",
          group: "Edit",
          keys: "mod+shift+z",
          when: () => now.current.canRedo,
          run: () => now.current.redo(),
        },
      ];
    }, []),
  );
}
