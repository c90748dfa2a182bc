/** Restores the window's place, then shows its screen in the layout. */
import { useMantineColorScheme } from "@mantine/core";
import { QueryErrorResetBoundary } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from "react";
import type { Start } from "../api/bindings";
import { fault } from "../api/fault";
import { savePlace } from "../api/mutations";
import { useStart } from "../api/queries";
import { later } from "../components/later";
import { ErrorState } from "../components/States";
import { Header } from "../features/header/Header";
import { overlay } from "../features/palette/palette";
import { PlanList, usePlanListKeys } from "../features/plans/PlanList";
import { SearchPart } from "../features/search/SearchPart";
import { useStore } from "../lib/store";
import { showToast } from "../lib/toast";
import { words } from "../words";
import { ErrorBoundary, ErrorScreen } from "./ErrorScreen";
import { Layout } from "./Layout";
import { flushPlace, restorePlace, screenOf, usePlace } from "./place";
import { WindowParts } from "./WindowParts";
import { wholeScreens } from "./wholeScreens";

const planScreen = () => import("./PlanScreen");
const PlanCentre = later<object>(
  () => planScreen().then((found) => ({ default: found.Centre })),
  8,
);
const PlanPanel = later<object>(
  () => planScreen().then((found) => ({ default: found.RightPanel })),
  4,
);
const PlanFoot = later(async () => ({ default: (await planScreen()).Foot }));

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
  const reported = useStore(fault);
  const open = useStore(overlay);

  if (reported) return <ErrorScreen fault={reported} onRetry={() => fault.set(null)} />;
  if (start.isError) {
    return (
      <ErrorState
        title={words.app.window.dataNotOpened}
        error={start.error}
        onRetry={() => void start.refetch()}
      />
    );
  }
  if (!isRestored) return <Layout at="start" header={null} list={null} centre={null} />;
  return (
    <>
      <WindowParts />
      <PlanListKeys />
      <Screen />
      <Suspense fallback={null}>
        {open === "palette" && <Palette />}
        {open === "keys" && <KeySheet />}
      </Suspense>
      <SearchPart />
    </>
  );
}

/** The keys of the plan list. A separate component, so that changes to the list don't rerender the whole app. */
function PlanListKeys() {
  usePlanListKeys();
  return null;
}

function Screen() {
  const place = usePlace();
  const screen = screenOf(place);
  const isPlan = screen === "plan";
  const Body = isPlan ? PlanCentre : wholeScreens[screen];
  useEffect(() => {
    // Preloads the chunk, so that the first plan opens at once.
    const early = setTimeout(() => void planScreen(), 500);
    return () => clearTimeout(early);
  }, []);
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
              {Body && <Body />}
            </ErrorBoundary>
          }
          panel={isPlan ? <PlanPanel /> : undefined}
          bar={
            isPlan ? (
              <ErrorBoundary at={at} onReset={reset}>
                <PlanFoot key={place.plan} />
              </ErrorBoundary>
            ) : undefined
          }
        />
      )}
    </QueryErrorResetBoundary>
  );
}

/** Restores the window's place once, and saves it from then on. */
function useRestored(start: Start | undefined): boolean {
  const [isRestored, setRestored] = useState(false);
  // A layout effect, so that the first paint already shows the restored place.
  useLayoutEffect(() => {
    if (!start || isRestored) return;
    restorePlace(start.place, (place) =>
      savePlace(place).catch((error: Error) =>
        showToast({
          tone: "bad",
          title: words.app.window.placeNotSaved,
          message: error.message,
        }),
      ),
    );
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
