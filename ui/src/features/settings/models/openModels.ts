/** Opens Settings → Models from anywhere. */
import { goTo } from "../../../app/place";

/** The id of the section's heading. It takes focus, so that a screen reader announces the section. */
export const modelsHeading = "models";

const maxTries = 40;
const retryMs = 50;

/** Opens the section and focuses its heading. Retries until the heading is there: the screen is only loaded when it is first opened. */
export function openModels(): void {
  goTo("settings");
  const focusHeading = (left: number) => {
    // The window may be closed by then.
    if (typeof document === "undefined") return;
    const heading = document.getElementById(modelsHeading);
    if (heading) {
      heading.scrollIntoView?.({ block: "start" });
      heading.focus({ preventScroll: true });
    } else if (left > 0) window.setTimeout(() => focusHeading(left - 1), retryMs);
  };
  window.setTimeout(() => focusHeading(maxTries), 0);
}
