/** Handles the window itself: its title, zoom, targets from a second start, requests for attention, and the question before it closes. */
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { listenToShell, onDesktopEvent } from "../api/events";
import { closeWindow, setTitle, setZoom, useAnswerClose } from "../api/mutations";
import { useOutline, useWindowInfo, useWorkspace } from "../api/queries";
import { openKeys, openPalette } from "../features/palette/palette";
import { wantsNativeMenu } from "../lib/nativeMenu";
import { showToast } from "../lib/toast";
import { words } from "../words";
import { type Action, useActions } from "./keys";
import { getPlace, openPlan, openTalk, type Place, screenOf, setPlace, usePlace } from "./place";
import { useGivenTarget } from "./useGivenTarget";

// Loaded on demand, because it is rarely needed.
const ClosingDialog = lazy(() => import("./ClosingDialog"));

const zooms = [75, 90, 100, 110, 125, 150, 175, 200];
/** Maximum length of a window title. */
const maxTitle = 200;

const zoomKey = "planwright.zoom";

export function WindowParts() {
  useTitle();
  useZoom();
  useLinks();
  useContextMenu();
  useCalls();
  useMoves();
  useActions(windowActions);
  return <Closing />;
}

const windowActions: Action[] = [
  {
    id: "window.palette",
    title: words.app.window.palette,
    group: "window",
    keys: "mod+k",
    inFields: true,
    run: openPalette,
  },
  { id: "window.keys", title: words.app.window.keys, group: "window", keys: "?", run: openKeys },
  {
    id: "window.close",
    title: words.app.window.close,
    group: "window",
    keys: "mod+w",
    inFields: true,
    run: () => void closeWindow(),
  },
];

function useTitle(): void {
  const place = usePlace();
  const workspace = useWorkspace(place.workspace).data;
  const screen = screenOf(place);
  const outline = useOutline(screen === "plan" ? place.plan : null).data;
  const subject = screen === "first" ? words.app.window.newPlan : outline?.title;
  const title = [subject, workspace?.name, "Planwright"]
    .filter(Boolean)
    .join(" · ")
    .slice(0, maxTitle);
  useEffect(() => {
    document.title = title;
    setTitle(title).catch(() => undefined);
  }, [title]);
}

function storedZoom(): number {
  const stored = Number(localStorage.getItem(zoomKey));
  return zooms.includes(stored) ? stored : 100;
}

function useZoom(): void {
  const [zoom, setLevel] = useState(storedZoom);
  const isFirst = useRef(true);
  useEffect(() => {
    const isStart = isFirst.current;
    isFirst.current = false;
    if (isStart && zoom === 100) return;
    localStorage.setItem(zoomKey, String(zoom));
    setZoom(zoom).catch(() => undefined);
  }, [zoom]);
  const step = useCallback(
    (by: number) =>
      setLevel(
        (now) => zooms[Math.max(0, Math.min(zooms.length - 1, zooms.indexOf(now) + by))] ?? 100,
      ),
    [],
  );
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "window.larger",
          title: words.app.window.zoomIn,
          group: "window",
          keys: "mod+=",
          inFields: true,
          run: () => step(1),
        },
        {
          id: "window.smaller",
          title: words.app.window.zoomOut,
          group: "window",
          keys: "mod+-",
          inFields: true,
          run: () => step(-1),
        },
        {
          id: "window.usual",
          title: words.app.window.zoomReset,
          group: "window",
          keys: "mod+0",
          inFields: true,
          run: () => setLevel(100),
        },
      ],
      [step],
    ),
  );
}

/** Stops links from leaving the page. `Rendered` handles the links of plans. */
function useLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const address = link?.getAttribute("href");
      if (address && !address.startsWith("#")) event.preventDefault();
    };
    document.addEventListener("click", onClick);
    document.addEventListener("auxclick", onClick);
    return () => {
      document.removeEventListener("click", onClick);
      document.removeEventListener("auxclick", onClick);
    };
  }, []);
}

/** Suppresses the browser's own menu, whose Back and Reload leave the page, except where it is needed to copy or paste. */
function useContextMenu(): void {
  useEffect(() => {
    const onMenu = (event: MouseEvent) => {
      if (!wantsNativeMenu(event.target)) event.preventDefault();
    };
    document.addEventListener("contextmenu", onMenu);
    return () => document.removeEventListener("contextmenu", onMenu);
  }, []);
}

/** Shows a toast when a plan that isn't on screen needs the person. */
function useCalls(): void {
  useEffect(
    () =>
      onDesktopEvent((event) => {
        const place = getPlace();
        if (event.kind !== "needed" || isOnScreen(place, event)) return;
        const { talk } = event;
        showToast({
          tone: "info",
          title: event.title,
          message: event.message,
          action: {
            label: words.app.window.showNeeded,
            run: () =>
              talk
                ? openTalk(talk)
                : openPlan(event.plan, event.run ? { run: event.run, panel: "run" } : {}),
          },
        });
      }),
    [],
  );
}

/** Whether the plan or conversation that needs the person is on screen. */
function isOnScreen(place: Place, needed: { plan: string; talk: string | null }): boolean {
  switch (screenOf(place)) {
    case "plan":
      return place.plan === needed.plan;
    case "talk":
      return place.talk === needed.talk;
    default:
      return false;
  }
}

/** Keeps a renamed or moved plan open, in the same place. */
function useMoves(): void {
  useEffect(
    () =>
      onDesktopEvent((event) => {
        if (event.kind !== "moved" || getPlace().plan !== event.plan) return;
        setPlace({ plan: event.to });
        showToast({ tone: "info", title: words.app.window.planMoved, message: event.to });
      }),
    [],
  );
}

function Closing() {
  const info = useWindowInfo().data;
  const take = useGivenTarget();
  const { mutate: answer } = useAnswerClose();
  const [asked, setAsked] = useState<{ runs: string[]; hasTray: boolean } | null>(null);
  const label = info?.label;

  useEffect(() => {
    if (!label) return;
    take();
    return listenToShell(label, (news) => {
      if (news.kind === "target_given") take();
      else setAsked({ runs: news.runs, hasTray: news.has_tray });
    });
  }, [label, take]);

  const choose = (choice: "tray" | "stop" | "cancel") => {
    setAsked(null);
    answer(choice);
  };
  if (!asked) return null;
  return (
    <Suspense fallback={null}>
      <ClosingDialog runs={asked.runs.length} hasTray={asked.hasTray} onAnswer={choose} />
    </Suspense>
  );
}
