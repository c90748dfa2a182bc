/** Starts the tour: automatically for the first plan that is opened, later from the palette. */
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useOutline } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { isTourSeen, startTour, tour } from "./tour";

const Tour = lazy(() => import("./Tour").then((found) => ({ default: found.Tour })));

/** Delay in milliseconds, so that the user sees the plan first. */
export const tourDelayMs = 1200;

export default function TourPart() {
  const { plan } = usePlace();
  const isThere = useOutline(plan).isSuccess;
  const open = useStore(tour);

  useEffect(() => {
    // An automated browser doesn't need the tour.
    if (!isThere || isTourSeen() || navigator.webdriver) return;
    const timer = window.setTimeout(() => tour.get() ?? startTour(false), tourDelayMs);
    return () => window.clearTimeout(timer);
  }, [isThere]);

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "tour.start",
          title: words.tour.start,
          group: "window",
          keys: "g h",
          run: () => startTour(true),
        },
      ],
      [],
    ),
  );

  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Tour open={open} />
    </Suspense>
  );
}
