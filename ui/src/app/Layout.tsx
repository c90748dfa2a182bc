/** The window's regions: header, list, centre, panel, bar. Under 1100 px the panel is a drawer, under 800 px (or at 200 % zoom) the list is one too. Each region is a landmark; the first Tab stop skips to the centre. */
import { IconLayoutSidebar, IconLayoutSidebarRight } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from "react";
import { IconButton } from "../components/IconButton";
import { createStore, useStore } from "../lib/store";
import { useRoom } from "../lib/useWidth";
import { type Action, useActions } from "./keys";
import styles from "./Layout.module.css";

// A window that is wide enough has no drawer.
const RegionDrawer = lazy(() => import("./RegionDrawer"));

/** Which drawer is open where there is no room for its column. */
const drawer = createStore<"list" | "panel" | null>(null);

export function openDrawer(which: "list" | "panel" | null): void {
  drawer.set(which);
}

interface LayoutProps {
  header: ReactNode;
  list: ReactNode;
  centre: ReactNode;
  /** Absent: no right panel on this screen. */
  panel?: ReactNode;
  /** Absent: no bar on this screen. */
  bar?: ReactNode;
  /** What is shown now; a drawer closes when it changes. */
  at: string;
}

export function Layout({ header, list, centre, panel, bar, at }: LayoutProps) {
  const room = useRoom();
  const open = useStore(drawer);
  const hasPanel = panel !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a drawer closes when the place changes
  useEffect(() => openDrawer(null), [at, room]);

  // What was focused may be gone with the last screen: reading goes on at the new one's start.
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
          title: "Focus the plan",
          group: "Window",
          keys: "F6",
          inFields: true,
          run: () => {
            openDrawer(null);
            document.getElementById("centre")?.focus();
          },
        },
        {
          id: "window.list",
          title: "Focus the list of plans",
          group: "Window",
          keys: "g l",
          run: () => focusRegion("list", room === "narrow"),
        },
        {
          id: "window.panel",
          title: "Focus the right panel",
          group: "Window",
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
        Skip to the plan
      </a>
      <header className={styles.header}>
        {room === "narrow" && (
          <IconButton label="Show plans" keys="g l" onClick={() => openDrawer("list")}>
            <IconLayoutSidebar size={18} />
          </IconButton>
        )}
        <div className={styles.headerBody}>{header}</div>
        {hasPanel && room !== "wide" && (
          <IconButton label="Show panel" keys="g p" onClick={() => openDrawer("panel")}>
            <IconLayoutSidebarRight size={18} />
          </IconButton>
        )}
      </header>
      {room !== "narrow" && (
        <nav id="list" className={styles.list} aria-label="Plans" tabIndex={-1}>
          {list}
        </nav>
      )}
      <main id="centre" className={styles.centre} tabIndex={-1}>
        {centre}
      </main>
      {hasPanel && room === "wide" && (
        <aside id="panel" className={styles.panel} aria-label="Panel" tabIndex={-1}>
          {panel}
        </aside>
      )}
      {bar && (
        <section className={styles.bar} aria-label="Plan state and actions">
          {bar}
        </section>
      )}
      <Suspense fallback={null}>
        {room === "narrow" && (
          <RegionDrawer
            title="Plans"
            side="left"
            size={260}
            isOpen={open === "list"}
            onClose={() => openDrawer(null)}
          >
            <nav aria-label="Plans" className={styles.drawerRegion}>
              {list}
            </nav>
          </RegionDrawer>
        )}
        {hasPanel && room !== "wide" && (
          <RegionDrawer
            title="Panel"
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
