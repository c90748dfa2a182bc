/** Brings the findings on screen and focuses the first one. */
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { createStore } from "../../lib/store";

/** Counts how often the findings were asked for; the panel focuses its list when it changes. */
export const findingsAsked = createStore(0);

export function showFindings(): void {
  setPlace({ panel: "findings" });
  // Where there is no room for the panel's column it is a drawer.
  if (!document.getElementById("panel")) openDrawer("panel");
  findingsAsked.set(findingsAsked.get() + 1);
}
