/** The window's regions: header, list, center, panel, bar. Below 1100 px the panel is a drawer, below 800 px (or at 200% zoom) the list too. Each region is a landmark; the first Tab stop skips to the center. */
import { IconLayoutSidebar, IconLayoutSidebarRight } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from "react";
import { IconButton } from "../components/IconButton";
import { createStore, useStore } from "../lib/store";
import { useRoom } from "../lib/useWidth";
import { words } from "../words";
import { type Action, useActions } from "./keys";
import styles from "./Layout.module.css";
import { PanelEdge, usePanelWidth } from "./PanelEdge";

const { layout } = words.app;

// Loaded on demand, because wide windows have no drawers.
const RegionDrawer = lazy(() => import("./RegionDrawer"));

/** The open drawer. */
const drawer = createStore<"list" | "panel" | null>(null);

export function openDrawer(which: "list" | "panel" | null): void {
  drawer.set(which);
}

interface LayoutProps {
  header: ReactNode;
  list: ReactNode;
  centre: ReactNode;
  /** If omitted, this screen has no right panel. */
  panel?: ReactNode;
  /** If omitted, this screen has no bar. */
  bar?: ReactNode;
  /** Identifies the place shown; an open drawer closes when it changes. */
  at: string;
}

export function Layout({ header, list, centre, panel, bar, at }: LayoutProps) {
  const room = useRoom();
  const open = useStore(drawer);
  const hasPanel = panel !== undefined;
  const { width } = usePanelWidth();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a drawer closes when the place changes
  useEffect(() => openDrawer(null), [at, room]);

  // If the focused element disappeared with the last screen, focus the start of the new one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the place changes
  useEffect(() => {
    const timer = window.setTimeout(() => {
      if (document.activeElement === document.body) document.getElementById("centre")?.focus();
    });
    return () => window.clearTimeout(timer);
  }, [at]);

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "window.centre",
          title: layout.focusPlan,
          group: "window",
          keys: "F6",
          inFields: true,
          run: () => {
            openDrawer(null);
            document.getElementById("centre")?.focus();
          },
        },
        {
          id: "window.list",
          title: layout.focusList,
          group: "window",
          keys: "g l",
          run: () => focusRegion("list", room === "narrow"),
        },
        {
          id: "window.panel",
          title: layout.focusPanel,
          group: "window",
          keys: "g p",
          when: () => hasPanel,
          run: () => focusRegion("panel", room !== "wide"),
        },
      ],
      [room, hasPanel],
    ),
  );

  return (
    <div className={styles.window} data-room={room} data-panel={hasPanel || undefined}>
      <a className={styles.skip} href="#centre">
        {layout.skipToPlan}
      </a>
      <header className={styles.header}>
        {room === "narrow" && (
          <IconButton label={layout.showPlans} keys="g l" onClick={() => openDrawer("list")}>
            <IconLayoutSidebar size={18} />
          </IconButton>
        )}
        <div className="pw-fill">{header}</div>
        {hasPanel && room !== "wide" && (
          <IconButton label={layout.showPanel} keys="g p" onClick={() => openDrawer("panel")}>
            <IconLayoutSidebarRight size={18} />
          </IconButton>
        )}
      </header>
      {room !== "narrow" && (
        <nav id="list" className={styles.list} aria-label={layout.plans} tabIndex={-1}>
          {list}
        </nav>
      )}
      <main id="centre" className={styles.centre} tabIndex={-1}>
        {centre}
      </main>
      {hasPanel && room === "wide" && (
        <aside
          id="panel"
          className={styles.panel}
          style={{ width }}
          aria-label={words.app.panel.label}
          tabIndex={-1}
        >
          <PanelEdge />
          {panel}
        </aside>
      )}
      {bar && (
        <section id="bar" className={styles.bar} aria-label={layout.bar}>
          {bar}
        </section>
      )}
      <Suspense fallback={null}>
        {room === "narrow" && (
          <RegionDrawer
            title={layout.plans}
            side="left"
            size={260}
            isOpen={open === "list"}
            onClose={() => openDrawer(null)}
          >
            <nav aria-label={layout.plans} className={styles.drawerRegion}>
              {list}
            </nav>
          </RegionDrawer>
        )}
        {hasPanel && room !== "wide" && (
          <RegionDrawer
            title={words.app.panel.label}
            side="right"
            size="min(380px, 100vw)"
            isOpen={open === "panel"}
            onClose={() => openDrawer(null)}
          >
            <div className={styles.drawerRegion}>{panel}</div>
          </RegionDrawer>
        )}
      </Suspense>
    </div>
  );
}

function focusRegion(region: "list" | "panel", isDrawer: boolean): void {
  if (isDrawer) openDrawer(region);
  else document.getElementById(region)?.focus();
}
