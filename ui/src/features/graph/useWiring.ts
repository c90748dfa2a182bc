/** Adding and removing dependencies: the edits, the question before an implied one is removed, and the handling of refusals. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Edit, EditOutcome, GraphEdge, GraphView } from "../../api/bindings";
import { codeOf } from "../../api/client";
import { useEdit } from "../../api/mutations";
import { getPlace, setPlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { conflict, type Send } from "../outline/useSend";
import { cycleBy, cycleIn, type GraphIndex } from "./graphIndex";

/** The removal of a dependency that only the order of the steps implies; it needs confirmation. */
export interface PendingCut {
  edge: GraphEdge;
  edit: Edit;
  /** The label of the button: "Remove T2 → T3". */
  label: string;
  /** The subject of the conflict dialog's message: "Removing T2 → T3". */
  doing: string;
}

export interface Wiring {
  /** Makes `to` depend on `from`. */
  connect: (from: string, to: string) => void;
  cut: (edge: GraphEdge) => void;
  /** Moves one end of the edge to another step. */
  rewire: (edge: GraphEdge, from: string, to: string) => void;
  pending: PendingCut | null;
  isBusy: boolean;
  confirm: () => void;
  cancel: () => void;
}

const { edits } = words.graph;

interface WiringProps {
  plan: string;
  view: GraphView;
  index: GraphIndex;
  send: Send;
  /** Called with the cycle that a refused edit would have created, or with an empty list after any other edit. */
  onCycle: (cycle: string[]) => void;
}

export function useWiring({ plan, view, index, send, onCycle }: WiringProps): Wiring {
  const { mutateAsync: edit } = useEdit();
  const [pending, setPending] = useState<PendingCut | null>(null);
  const [isBusy, setBusy] = useState(false);
  const now = useRef({ view, index, pending });
  now.current = { view, index, pending };

  const apply = useCallback(
    async (change: Edit, doing: string, done: string, wanted?: [string, string]) => {
      let outcome: EditOutcome;
      try {
        outcome = await edit({ plan, revision: now.current.view.revision, edit: change });
      } catch (cause) {
        // The query cache shows the error: see api/cache.ts.
        const { index } = now.current;
        const isRefused = codeOf(cause) === "usage" && wanted !== undefined;
        const found = isRefused ? cycleBy(index, wanted[0], wanted[1]) : null;
        const named = found && cause instanceof Error ? cycleIn(cause.message, index) : [];
        onCycle(named.length > 0 ? named : (found ?? []));
        return;
      }
      onCycle([]);
      if (outcome.outcome === "conflict") {
        conflict.set({ doing, mine: outcome.mine, theirs: outcome.theirs });
      } else if (outcome.outcome === "unchanged") {
        showToast({
          tone: "info",
          title: edits.unchangedTitle,
          message: edits.unchangedMessage(done),
        });
      } else {
        // A step without an id in the file gets one, which may differ from the one shown.
        if (outcome.task && getPlace().task === wanted?.[1]) setPlace({ task: outcome.task });
        send.offerUndo(done, outcome.revision);
      }
    },
    [edit, plan, send, onCycle],
  );

  const connect = useCallback(
    (from: string, to: string) =>
      void apply(
        { edit: "connect", from, to },
        edits.connecting(from, to),
        edits.connected(from, to),
        [from, to],
      ),
    [apply],
  );

  const cut = useCallback(
    (edge: GraphEdge) => {
      const { from, to } = edge;
      const change: Edit = { edit: "disconnect", from, to };
      if (edge.kind === "order") {
        const label = edits.remove(from, to);
        setPending({ edge, edit: change, label, doing: edits.removing(from, to) });
        return;
      }
      void apply(change, edits.removing(from, to), edits.removed(from, to));
    },
    [apply],
  );

  const rewire = useCallback(
    (edge: GraphEdge, from: string, to: string) => {
      if (edge.from === from && edge.to === to) return;
      const change: Edit = {
        edit: "many",
        edits: [
          { edit: "disconnect", from: edge.from, to: edge.to },
          { edit: "connect", from, to },
        ],
      };
      if (edge.kind === "order") {
        const label = edits.rewire(from, to);
        setPending({ edge, edit: change, label, doing: edits.rewiring(edge.to) });
        return;
      }
      void apply(change, edits.rewiring(edge.to), edits.connected(from, to), [from, to]);
    },
    [apply],
  );

  const confirm = useCallback(async () => {
    const { pending: asked } = now.current;
    if (!asked) return;
    setBusy(true);
    const { from, to } = asked.edge;
    await apply(asked.edit, asked.doing, edits.removed(from, to));
    setBusy(false);
    setPending(null);
  }, [apply]);

  const cancel = useCallback(() => setPending(null), []);

  return useMemo(
    () => ({ connect, cut, rewire, pending, isBusy, confirm: () => void confirm(), cancel }),
    [connect, cut, rewire, pending, isBusy, confirm, cancel],
  );
}
