/** The way to Settings → Models, from anywhere. */
import { goTo } from "../../../app/place";

/** The heading of the section: it takes the focus, so that a screen reader says where one is. */
export const modelsHeading = "models";

const tries = 40;
const everyMs = 50;

/** The screen is loaded when it is first opened, so the heading may not be there at once. */
export function openModels(): void {
  goTo("settings");
  const look = (left: number) => {
    // The window may be gone by then.
    if (typeof document === "undefined") return;
    const heading = document.getElementById(modelsHeading);
    if (heading) {
      heading.scrollIntoView?.({ block: "start" });
      heading.focus({ preventScroll: true });
    } else if (left > 0) window.setTimeout(() => look(left - 1), everyMs);
  };
  window.setTimeout(() => look(tries), 0);
}
