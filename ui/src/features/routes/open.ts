/** Whether the dialog with the open plan's route is shown. */
import { createStore } from "../../lib/store";

export const isRouteShown = createStore(false);

export function showRoute(): void {
  isRouteShown.set(true);
}
