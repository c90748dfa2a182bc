/** Who carries a step out: one for which nobody is named is a model's where there is one, else the person's. */
import { createStore, useStore } from "../lib/store";

/** Whether a model is set up, as the backend told last. */
export const hasModel = createStore(false);

export function isPersons(by: string): boolean {
  return by === "person" || (by === "either" && !hasModel.get());
}

export function useIsPersons(by: string): boolean {
  useStore(hasModel);
  return isPersons(by);
}
