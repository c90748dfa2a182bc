/** Opening a tab of the right panel from anywhere, also where the panel is a drawer, and bringing what waits into view. */
import type { RunQuestion } from "../../api/bindings";
import { openDrawer } from "../../app/Layout";
import { openPlan, setPlace } from "../../app/place";
import { cardId } from "./shown";

/** Opens a tab beside the plan that is on screen; a run given is the one that is looked at. */
export function showPanel(panel: string, run?: string): void {
  setPlace(run ? { panel, run } : { panel });
  // Where there is no room for the panel's column it is a drawer; one opens after the place has changed.
  window.setTimeout(() => {
    if (!document.getElementById("panel")) openDrawer("panel");
  });
}

/** The same from anywhere: goes to the plan first. */
export function showPanelOf(plan: string, panel: string, run: string): void {
  openPlan(plan, { panel, run });
  showPanel(panel, run);
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
