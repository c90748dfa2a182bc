/** Connecting and cutting by keyboard: the step is the selected one, the other end is chosen from a list. */
import { SegmentedControl } from "@mantine/core";
import { useMemo, useState } from "react";
import type { GraphEdge } from "../../api/bindings";
import styles from "./Graph.module.css";
import { PickDialog } from "./PickDialog";
import type { Wiring } from "./useWiring";
import { edgeKey, relationOf, type Ways, within } from "./ways";

/** Which list is open, and about which step. */
export type Picking =
  | { what: "connect"; task: string; side: "after" | "before" }
  | { what: "cut"; task: string };

interface WireDialogsProps {
  picking: Picking | null;
  ways: Ways;
  wiring: Wiring;
  onClose: () => void;
}

export function WireDialogs({ picking, ways, wiring, onClose }: WireDialogsProps) {
  if (!picking) return null;
  return picking.what === "connect" ? (
    <ConnectDialog
      task={picking.task}
      begins={picking.side}
      ways={ways}
      wiring={wiring}
      onClose={onClose}
    />
  ) : (
    <CutList task={picking.task} ways={ways} wiring={wiring} onClose={onClose} />
  );
}

interface ListProps {
  task: string;
  ways: Ways;
  wiring: Wiring;
  onClose: () => void;
}

function ConnectDialog({
  task,
  begins,
  ways,
  wiring,
  onClose,
}: ListProps & { begins: "after" | "before" }) {
  const [side, setSide] = useState(begins);
  const picks = useMemo(() => {
    const { up, down } = relationOf(ways, task);
    const own = within(ways, task);
    const isAfter = side === "after";
    const lines = (isAfter ? ways.from : ways.into).get(task) ?? [];
    const known = new Set(lines.map((edge) => (isAfter ? edge.to : edge.from)));
    const wouldCircle = isAfter ? up : down;
    return ways.order
      .filter((node) => node.id !== task && !own.has(node.id) && !known.has(node.id))
      .map((node) => ({
        key: node.id,
        id: node.id,
        title: node.title || "Untitled",
        note: wouldCircle.has(node.id) ? "would be a circle" : undefined,
        run: () => (isAfter ? wiring.connect(task, node.id) : wiring.connect(node.id, task)),
      }));
  }, [ways, task, side, wiring]);
  return (
    <PickDialog
      title={`Connect ${task}`}
      label={
        side === "after"
          ? `The step that shall wait for ${task}`
          : `The step ${task} shall wait for`
      }
      picks={picks}
      none="There is no step left to connect it to."
      onClose={onClose}
    >
      <SegmentedControl
        className={styles.side}
        size="xs"
        fullWidth
        aria-label="Direction"
        value={side}
        onChange={(value) => setSide(value === "before" ? "before" : "after")}
        data={[
          { value: "after", label: `… waits for ${task}` },
          { value: "before", label: `${task} waits for …` },
        ]}
      />
    </PickDialog>
  );
}

const notes: Record<string, string> = {
  order: "only by its place",
  branch: "by an option",
  depends: "",
};

function CutList({ task, ways, wiring, onClose }: ListProps) {
  const picks = useMemo(() => {
    const row = (edge: GraphEdge, id: string, words: string) => ({
      key: edgeKey(edge),
      id,
      title: `${words}${ways.node.get(id)?.title || "Untitled"}`,
      note: notes[edge.kind] || undefined,
      run: () => wiring.cut(edge),
    });
    return [
      ...(ways.into.get(task) ?? []).map((edge) => row(edge, edge.from, "is waited for: ")),
      ...(ways.from.get(task) ?? []).map((edge) => row(edge, edge.to, "waits: ")),
    ];
  }, [ways, task, wiring]);
  return (
    <PickDialog
      title={`Cut a line of ${task}`}
      label={`Lines of ${task}`}
      picks={picks}
      none={`${task} waits for nothing, and nothing waits for it.`}
      onClose={onClose}
    />
  );
}
