/** The state of the tour of an open plan: which card is shown, and whether the tour has been seen. */
import { createStore } from "../../lib/store";

export interface OpenTour {
  /** The index of the card. */
  card: number;
  /** Whether the card takes focus: only if the tour was started on request. */
  takesFocus: boolean;
}

export const tour = createStore<OpenTour | null>(null);

const storageKey = "planwright.tour";

export function isTourSeen(): boolean {
  return localStorage.getItem(storageKey) === "seen";
}

export function startTour(takesFocus: boolean): void {
  tour.set({ card: 0, takesFocus });
}

export function showCard(card: number): void {
  tour.set({ card, takesFocus: false });
}

/** Ends the tour, which then never starts automatically again. */
export function endTour(): void {
  localStorage.setItem(storageKey, "seen");
  tour.set(null);
}
