/** The tour of an open plan: which card is shown, and whether it was ever seen. */
import { createStore } from "../../lib/store";

export interface OpenTour {
  /** Index into the cards. */
  card: number;
  /** Started on request, it takes focus; by itself it never does. */
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

/** Ends the tour: it doesn't start by itself again. */
export function endTour(): void {
  localStorage.setItem(storageKey, "seen");
  tour.set(null);
}
