/** Lines that are drawn and cut: what is sent, what is asked before, and what is said when it is refused. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Edit, EditOutcome, GraphEdge, GraphView } from "../../api/bindings";
import { codeOf } from "../../api/client";
import { useEdit } from "../../api/mutations";
import { getPlace, setPlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { conflict, type Send } from "../outline/useSend";
import { circleBy, circleIn, type Ways } from "./ways";

/** A cut that writes down what was only the order of the file: asked first. */
export interface Asking {
  edge: GraphEdge;
  edit: Edit;
  /** On the button: "Cut T2 → T3". */
  doing: string;
}

export interface Wiring {
  /** `to` waits for `from` from now on. */
  connect: (from: string, to: string) => void;
  cut: (edge: GraphEdge) => void;
  /** The line's one end goes to another step. */
  rewire: (edge: GraphEdge, from: string, to: string) => void;
  asking: Asking | null;
  isBusy: boolean;
  confirm: () => void;
  giveUp: () => void;
}

interface WiringProps {
  plan: string;
  view: GraphView;
  ways: Ways;
  send: Send;
  /** Marks the steps of a circle that was refused; none: it is over. */
  onCircle: (circle: string[]) => void;
}

export function useWiring({ plan, view, ways, send, onCircle }: WiringProps): Wiring {
  const { mutateAsync: edit } = useEdit();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [isBusy, setBusy] = useState(false);
  const now = useRef({ view, ways, asking });
  now.current = { view, ways, asking };

  const make = useCallback(
    async (made: Edit, doing: string, done: string, wanted?: [string, string]) => {
      let outcome: EditOutcome;
      try {
        outcome = await edit({ plan, revision: now.current.view.revision, edit: made });
      } catch (cause) {
        // The words of the refusal are told by the cache: see api/cache.ts.
        const said = cause instanceof Error ? circleIn(cause.message, now.current.ways) : [];
        const isRefused = codeOf(cause) === "usage" && wanted !== undefined;
        const own = isRefused ? circleBy(now.current.ways, wanted[0], wanted[1]) : null;
        onCircle(said.length > 1 ? said : (own ?? []));
        return;
      }
      onCircle([]);
      if (outcome.outcome === "conflict") {
        conflict.set({ doing, mine: outcome.mine, theirs: outcome.theirs });
      } else if (outcome.outcome === "unchanged") {
        showToast({ tone: "info", title: "Nothing had to change", message: `${done} already.` });
      } else {
        // A counted id is written down, and perhaps another one, when something refers to it.
        if (outcome.task && getPlace().task === wanted?.[1]) setPlace({ task: outcome.task });
        send.offerUndo(done, outcome.revision);
      }
    },
    [edit, plan, send, onCircle],
  );

  const connect = useCallback(
    (from: string, to: string) =>
      void make(
        { edit: "connect", from, to },
        `Connecting ${from} and ${to}`,
        `${to} waits for ${from}`,
        [from, to],
      ),
    [make],
  );

  const cut = useCallback(
    (edge: GraphEdge) => {
      const { from, to } = edge;
      const made: Edit = { edit: "disconnect", from, to };
      if (edge.kind === "order") {
        setAsking({ edge, edit: made, doing: `Cut ${from} → ${to}` });
        return;
      }
      void make(made, `Cutting ${from} → ${to}`, `${to} waits for ${from} no longer`);
    },
    [make],
  );

  const rewire = useCallback(
    (edge: GraphEdge, from: string, to: string) => {
      if (edge.from === from && edge.to === to) return;
      const made: Edit = {
        edit: "many",
        edits: [
          { edit: "disconnect", from: edge.from, to: edge.to },
          { edit: "connect", from, to },
        ],
      };
      if (edge.kind === "order") {
        setAsking({ edge, edit: made, doing: `Let ${to} wait for ${from}` });
        return;
      }
      void make(made, `Rewiring ${edge.to}`, `${to} waits for ${from}`, [from, to]);
    },
    [make],
  );

  const confirm = useCallback(async () => {
    const asked = now.current.asking;
    if (!asked) return;
    setBusy(true);
    const { from, to } = asked.edge;
    await make(asked.edit, asked.doing, `${to} waits for ${from} no longer`);
    setBusy(false);
    setAsking(null);
  }, [make]);

  const giveUp = useCallback(() => setAsking(null), []);

  return useMemo(
    () => ({ connect, cut, rewire, asking, isBusy, confirm: () => void confirm(), giveUp }),
    [connect, cut, rewire, asking, isBusy, confirm, giveUp],
  );
}
