/** The width of an element in CSS pixels; `fallback` until layout. */
import { type RefObject, useLayoutEffect, useState } from "react";

export function useWidthOf(element: RefObject<HTMLElement | null>, fallback: number): number {
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    const held = element.current;
    if (!held || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry?.contentRect.width ?? 0);
      if (now > 0) setWidth(now);
    });
    observer.observe(held);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
