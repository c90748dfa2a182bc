/** The states of the graph's steps in a run. */
import { useRef } from "react";
import type { GraphView } from "../../api/bindings";
import { useMarks } from "../outline/marks";
import { noHighlight } from "./highlight";

/** The run's state of each step. Returns the same map until a state changes. */
export function useRunStates(run: string | null, view: GraphView): Map<string, string> {
  const marks = useMarks(run);
  const kept = useRef(noHighlight.states);
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
