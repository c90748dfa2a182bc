/** The action that shows the open plan's route. The dialog's code is loaded on demand. */
import { lazy, Suspense, useEffect, useMemo } from "react";
import { usePlanRoute } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { isRouteShown, showRoute } from "./open";

const RouteDialog = lazy(() =>
  import("./RouteDialog").then((found) => ({ default: found.RouteDialog })),
);

export default function RoutePart() {
  const { plan } = usePlace();
  const isShown = useStore(isRouteShown);
  const hasRoute = Boolean(usePlanRoute(plan).data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed when the plan changes
  useEffect(() => () => isRouteShown.set(false), [plan]);
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "plan.route",
          title: words.routes.whyAction,
          group: "plan",
          keys: "g w",
          when: () => hasRoute,
          run: showRoute,
        },
      ],
      [hasRoute],
    ),
  );
  if (!isShown || !plan) return null;
  return (
    <Suspense fallback={null}>
      <RouteDialog plan={plan} />
    </Suspense>
  );
}
