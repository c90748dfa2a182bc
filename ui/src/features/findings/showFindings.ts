/** Shows the findings panel and focuses its first finding. */
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** Counts the requests to show the findings; the panel focuses its list on each. */
export const findingsAsked = createStore(0);

export function showFindings(): void {
  setPlace({ panel: "findings" });
  // In a narrow window, the panel is a drawer.
  if (!document.getElementById("panel")) openDrawer("panel");
  findingsAsked.set(findingsAsked.get() + 1);
}
