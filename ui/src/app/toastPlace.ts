/** Places the toasts in the first corner where they don't cover a dialog or menu. */
import { type RefObject, useLayoutEffect } from "react";

/** The corners in order of preference; `Toasts.module.css` positions the toasts in them. */
const corners = ["bottom-right", "top-right", "bottom-left", "top-left"];

const overlays =
  '[role="dialog"], [role="alertdialog"], [role="menu"], [data-portal] [role="listbox"]';

/** Time after which dialogs and menus have stopped moving, in milliseconds. */
const settledMs = 300;

/** Keeps the toasts in a free corner. If none is free, sets `data-crowded`, which shows only failures, in the corner where they cover the least. */
export function useToastPlace(section: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    const element = section.current;
    if (!element || count === 0) return;
    let frame = 0;
    let timer = 0;
    const place = () => placeToasts(element);
    const onChange = () => {
      window.cancelAnimationFrame(frame);
      window.clearTimeout(timer);
      frame = window.requestAnimationFrame(place);
      timer = window.setTimeout(place, settledMs);
    };
    place();
    const observer = new MutationObserver((changes) => {
      // Changes within the toasts are ignored, because this effect already runs when toasts are added or removed.
      if (changes.some((change) => !element.contains(change.target))) onChange();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("resize", onChange);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", onChange);
      window.cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  }, [section, count]);
}

export function isCrowded(section: HTMLElement): boolean {
  return section.dataset.crowded !== undefined;
}

function placeToasts(section: HTMLElement): void {
  delete section.dataset.crowded;
  const rects = [...document.querySelectorAll(overlays)].map((one) => one.getBoundingClientRect());
  if (leastCovered(section, rects) === 0) return;
  section.dataset.crowded = "";
  leastCovered(section, rects);
}

/** Moves the toasts to the corner where they cover the least of `rects`, and returns the covered area. */
function leastCovered(section: HTMLElement, rects: DOMRect[]): number {
  let best = "";
  let least = Number.POSITIVE_INFINITY;
  for (const corner of corners) {
    section.dataset.corner = corner;
    const own = section.getBoundingClientRect();
    const covered = rects.reduce((sum, rect) => sum + shared(own, rect), 0);
    if (covered < least) [best, least] = [corner, covered];
    if (covered === 0) break;
  }
  section.dataset.corner = best;
  return least;
}

/** The area that two rectangles share. */
function shared(one: DOMRect, other: DOMRect): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, width) * Math.max(0, height);
}
