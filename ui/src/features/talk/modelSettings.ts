/** The way to Settings → Models, from anywhere. */
import { goTo } from "../../app/place";

/** The heading of the section, which can be focused once the screen is there. */
const heading = "models";

export function openModelSettings(): void {
  goTo("settings");
  const look = (tries: number) => {
    const found = document.getElementById(heading);
    if (found) {
      found.scrollIntoView({ block: "start" });
      found.tabIndex = -1;
      found.focus({ preventScroll: true });
    } else if (tries > 0) window.setTimeout(() => look(tries - 1), 60);
  };
  window.setTimeout(() => look(30), 0);
}
