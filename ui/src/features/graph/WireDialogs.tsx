/** Adding and removing dependencies of the selected step by keyboard: the other step is picked from a list. */
import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import type { GraphEdge } from "../../api/bindings";
import { words } from "../../words";
import styles from "./Graph.module.css";
import { edgeKey, type GraphIndex, relationOf, stepsInside } from "./graphIndex";
import { PickDialog } from "./PickDialog";
import type { Wiring } from "./useWiring";

/** The open list and its step. */
export type Picking =
  | { what: "connect"; task: string; side: "after" | "before" }
  | { what: "cut"; task: string };

interface WireDialogsProps {
  picking: Picking | null;
  index: GraphIndex;
  wiring: Wiring;
  onClose: () => void;
}

export function WireDialogs({ picking, index, wiring, onClose }: WireDialogsProps) {
  if (!picking) return null;
  return picking.what === "connect" ? (
    <ConnectDialog
      task={picking.task}
      initialSide={picking.side}
      index={index}
      wiring={wiring}
      onClose={onClose}
    />
  ) : (
    <CutList task={picking.task} index={index} wiring={wiring} onClose={onClose} />
  );
}

interface ListProps {
  task: string;
  index: GraphIndex;
  wiring: Wiring;
  onClose: () => void;
}

function ConnectDialog({
  task,
  initialSide,
  index,
  wiring,
  onClose,
}: ListProps & { initialSide: "after" | "before" }) {
  const text = words.graph.connect;
  const [side, setSide] = useState(initialSide);
  const picks = useMemo(() => {
    const { up, down } = relationOf(index, task);
    const own = stepsInside(index, task);
    const isAfter = side === "after";
    const lines = (isAfter ? index.from : index.into).get(task) ?? [];
    const known = new Set(lines.map((edge) => (isAfter ? edge.to : edge.from)));
    const cycles = isAfter ? up : down;
    return index.order
      .filter((node) => node.id !== task && !own.has(node.id) && !known.has(node.id))
      .map((node) => ({
        key: node.id,
        id: node.id,
        title: node.title || words.graph.untitled,
        note: cycles.has(node.id) ? text.createsCycle : undefined,
        run: () => (isAfter ? wiring.connect(task, node.id) : wiring.connect(node.id, task)),
      }));
  }, [index, task, side, wiring, text]);
  return (
    <PickDialog
      title={text.title(task)}
      label={side === "after" ? text.pickDependent(task) : text.pickDependency(task)}
      picks={picks}
      none={text.none}
      onClose={onClose}
    >
      <SegmentedControl
        className={styles.side}
        size="xs"
        fullWidth
        aria-label={text.direction}
        value={side}
        onChange={(value) => setSide(value === "before" ? "before" : "after")}
        data={[
          { value: "after", label: text.dependent(task) },
          { value: "before", label: text.dependency(task) },
        ]}
      />
    </PickDialog>
  );
}

function CutList({ task, index, wiring, onClose }: ListProps) {
  const text = words.graph.remove;
  const picks = useMemo(() => {
    const titleOf = (id: string) => index.node.get(id)?.title || words.graph.untitled;
    const row = (edge: GraphEdge, id: string, title: string) => ({
      key: edgeKey(edge),
      id,
      title,
      note: text.kinds[edge.kind],
      run: () => wiring.cut(edge),
    });
    return [
      ...(index.into.get(task) ?? []).map((edge) =>
        row(edge, edge.from, text.dependency(task, titleOf(edge.from))),
      ),
      ...(index.from.get(task) ?? []).map((edge) =>
        row(edge, edge.to, text.dependent(task, titleOf(edge.to))),
      ),
    ];
  }, [index, task, wiring, text]);
  return (
    <PickDialog
      title={text.title(task)}
      label={text.label(task)}
      picks={picks}
      none={text.none(task)}
      onClose={onClose}
    />
  );
}
