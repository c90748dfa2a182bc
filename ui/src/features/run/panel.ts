/** Opening a tab of the right panel from anywhere, also where the panel is a drawer, and bringing what waits into view. */
import type { RunQuestion } from "../../api/bindings";
import { openDrawer } from "../../app/Layout";
import { setPlace } from "../../app/place";
import { cardId } from "./shown";

const drawerBelow = "(max-width: 1099.98px)";

export function showPanel(panel: string, run?: string): void {
  setPlace(run ? { panel, run } : { panel });
  if (window.matchMedia(drawerBelow).matches) openDrawer("panel");
}

/** Shows a question's card and puts the focus on the card itself, never on one of its buttons. */
export function showCard(question: RunQuestion): void {
  showPanel("run");
  const focus = (tries: number) => {
    const card = document.getElementById(cardId(question));
    if (card) {
      card.scrollIntoView({ block: "nearest" });
      card.focus();
    } else if (tries > 0) window.setTimeout(() => focus(tries - 1), 60);
  };
  window.setTimeout(() => focus(12), 0);
}

/** Whether the card is where the person can see it. */
export function isCardInView(question: RunQuestion): boolean {
  const card = document.getElementById(cardId(question));
  if (!card) return false;
  const box = card.getBoundingClientRect();
  return box.bottom > 0 && box.top < window.innerHeight && box.width > 0;
}
