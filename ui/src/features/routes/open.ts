/** Whether it is shown how the open plan came to be. */
import { createStore } from "../../lib/store";

export const isRouteShown = createStore(false);

export function showRoute(): void {
  isRouteShown.set(true);
}
