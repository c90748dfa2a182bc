/** Determines who carries out a step. An unassigned step is carried out by the model if one is configured, and otherwise by the person. */
import { createStore, useStore } from "../lib/store";

/** Whether a model is configured, from the backend's last answer. */
export const hasModel = createStore(false);

export function isPersons(by: string): boolean {
  return by === "person" || (by === "either" && !hasModel.get());
}

export function useIsPersons(by: string): boolean {
  useStore(hasModel);
  return isPersons(by);
}
