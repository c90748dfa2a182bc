/** Opens a tab of the right panel, even if the panel is a drawer, and brings a waiting question into view. */
import type { RunQuestion } from "../../api/bindings";
import { openDrawer } from "../../app/Layout";
import { openPlan, setPlace } from "../../app/place";
import { cardId } from "./shown";

/** Opens a tab beside the plan on screen; with `run`, shows that run. */
export function showPanel(panel: string, run?: string): void {
  setPlace(run ? { panel, run } : { panel });
  // In a narrow window the panel is a drawer, which can open only after the place has changed.
  window.setTimeout(() => {
    if (!document.getElementById("panel")) openDrawer("panel");
  });
}

/** Opens a plan and then a tab beside it, from anywhere. */
export function showPanelOf(plan: string, panel: string, run: string): void {
  openPlan(plan, { panel, run });
  showPanel(panel, run);
}

/** Shows a question's card and focuses the card itself, never one of its buttons. */
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

/** Whether the card is on screen. */
export function isCardInView(question: RunQuestion): boolean {
  const card = document.getElementById(cardId(question));
  if (!card) return false;
  const box = card.getBoundingClientRect();
  return box.bottom > 0 && box.top < window.innerHeight && box.width > 0;
}
