/** Restores where the window stood, then puts the screen of the present place into the layout. */
import { useMantineColorScheme } from "@mantine/core";
import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import type { Start } from "../api/bindings";
import { fault } from "../api/fault";
import { savePlace } from "../api/mutations";
import { useStart } from "../api/queries";
import { ErrorState, Loading } from "../components/States";
import { Bar } from "../features/bar/Bar";
import { Header } from "../features/header/Header";
import { overlay } from "../features/palette/palette";
import { PlanList, usePlanListKeys } from "../features/plans/PlanList";
import { useStore } from "../lib/store";
import { showToast } from "../lib/toast";
import { ErrorBoundary, ErrorScreen } from "./ErrorScreen";
import { Layout } from "./Layout";
import { Panel, usePanelKeys } from "./Panel";
import { PlanCentre } from "./PlanCentre";
import { flushPlace, restorePlace, screenOf, usePlace } from "./place";
import { panelTabs, planParts, screens } from "./screens";
import { WindowParts } from "./WindowParts";

const Palette = lazy(() =>
  import("../features/palette/Palette").then((found) => ({ default: found.Palette })),
);
const KeySheet = lazy(() =>
  import("../features/keys/KeySheet").then((found) => ({ default: found.KeySheet })),
);

export function App() {
  const start = useStart();
  const isRestored = useRestored(start.data);
  useTheme(start.data?.theme);
  const told = useStore(fault);
  const open = useStore(overlay);

  if (told) return <ErrorScreen fault={told} onRetry={() => fault.set(null)} />;
  if (start.isError) {
    return (
      <ErrorState
        title="Planwright cannot open its data"
        error={start.error}
        onRetry={() => void start.refetch()}
      />
    );
  }
  if (!isRestored) return <Layout at="start" header={null} list={null} centre={null} />;
  return (
    <>
      <WindowParts />
      <Screen />
      <Suspense fallback={null}>
        {open === "palette" && <Palette />}
        {open === "keys" && <KeySheet />}
      </Suspense>
    </>
  );
}

function Screen() {
  const place = usePlace();
  usePlanListKeys();
  const screen = screenOf(place);
  const isPlan = screen === "plan";
  const Body = isPlan ? PlanCentre : screens[screen];
  const at = `${screen}:${place.plan}`;
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Layout
          at={at}
          header={<Header />}
          list={
            <ErrorBoundary onReset={reset}>
              <PlanList />
            </ErrorBoundary>
          }
          centre={
            <ErrorBoundary at={at} onReset={reset}>
              <Suspense fallback={<Loading lines={8} />}>{Body && <Body />}</Suspense>
            </ErrorBoundary>
          }
          panel={isPlan && panelTabs.length > 0 ? <Panel /> : undefined}
          bar={
            isPlan ? (
              <ErrorBoundary at={at} onReset={reset}>
                <PlanParts key={place.plan} />
                <Bar />
              </ErrorBoundary>
            ) : undefined
          }
        />
      )}
    </QueryErrorResetBoundary>
  );
}

/** What works beside the open plan without a region of its own; drawn anew for each plan. */
function PlanParts() {
  usePanelKeys();
  return planParts.map(({ id, Part }) => <Part key={id} />);
}

/** Goes to where the window stood, once, and keeps where it stands from then on. */
function useRestored(start: Start | undefined): boolean {
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    if (!start || isRestored) return;
    restorePlace(start.place, (place) => {
      savePlace(place).catch((error: Error) =>
        showToast({
          tone: "bad",
          title: "Where the window stands is not kept",
          message: error.message,
        }),
      );
    });
    for (const notice of start.notices) showToast({ tone: "info", title: notice });
    setRestored(true);
    window.addEventListener("pagehide", flushPlace);
  }, [start, isRestored]);
  return isRestored;
}

function useTheme(theme: string | undefined): void {
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (theme === "light" || theme === "dark" || theme === "auto") setColorScheme(theme);
  }, [theme, setColorScheme]);
}
