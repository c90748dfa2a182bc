/** The right panel: its tabs and the content of the open one. */
import { type KeyboardEvent, useMemo } from "react";
import { Count } from "../components/Chip";
import { useRoom } from "../lib/useWidth";
import { words } from "../words";
import { ErrorBoundary } from "./ErrorScreen";
import { type Action, useActions } from "./keys";
import { openDrawer } from "./Layout";
import styles from "./Panel.module.css";
import { setPlace, usePlace } from "./place";
import { type PanelTab, panelTabs } from "./screens";

export function Panel() {
  const { panel, plan } = usePlace();
  const tab = panelTabs.find((other) => other.id === panel) ?? panelTabs[0];

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !tab) return;
    const next = panelTabs[(panelTabs.indexOf(tab) + by + panelTabs.length) % panelTabs.length];
    if (!next) return;
    setPlace({ panel: next.id });
    document.getElementById(`panel-tab-${next.id}`)?.focus();
    event.preventDefault();
  };

  if (!tab) return null;
  return (
    <>
      <div
        className={styles.tabs}
        role="tablist"
        aria-label={words.app.panel.label}
        onKeyDown={onKeyDown}
      >
        {panelTabs.map((other) => (
          <Tab key={other.id} tab={other} isOpen={other === tab} />
        ))}
      </div>
      <div
        id="panel-body"
        className={styles.body}
        role="tabpanel"
        aria-labelledby={`panel-tab-${tab.id}`}
      >
        <ErrorBoundary at={`${tab.id}:${plan}`}>
          <tab.Body />
        </ErrorBoundary>
      </div>
    </>
  );
}

const noCount = () => null;

function Tab({ tab, isOpen }: { tab: PanelTab; isOpen: boolean }) {
  const useCount = tab.useCount ?? noCount;
  const count = useCount();
  return (
    <button
      type="button"
      role="tab"
      id={`panel-tab-${tab.id}`}
      aria-selected={isOpen}
      aria-controls="panel-body"
      tabIndex={isOpen ? 0 : -1}
      className={styles.tab}
      onClick={() => setPlace({ panel: tab.id })}
    >
      {tab.title}
      {count && count.value > 0 && <Count value={count.value} label={count.label} />}
    </button>
  );
}

/** The keys that open a tab. Active while a plan is on screen, even if the panel is a closed drawer. */
export function usePanelKeys(): void {
  const room = useRoom();
  useActions(
    useMemo<Action[]>(
      () =>
        panelTabs.map((tab) => ({
          id: `panel.${tab.id}`,
          title: words.app.panel.show(tab.title),
          group: "go",
          keys: tab.keys,
          run: () => {
            setPlace({ panel: tab.id });
            if (room !== "wide") openDrawer("panel");
            requestAnimationFrame(() => document.getElementById(`panel-tab-${tab.id}`)?.focus());
          },
        })),
      [room],
    ),
  );
}
