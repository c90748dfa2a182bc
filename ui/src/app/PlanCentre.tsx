/** The center of an open plan: its tabs, or why it can't be shown. */
import { Button } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo } from "react";
import { codeOf } from "../api/client";
import { useRestorePlan } from "../api/mutations";
import { useIsMissing, useOutline } from "../api/queries";
import { EmptyState, ErrorState, Loading } from "../components/States";
import { AgentRevision } from "../features/approve/AgentRevision";
import { AgentStrip } from "../features/approve/AgentStrip";
import { ConflictBanner } from "../features/conflicts/ConflictBanner";
import { words } from "../words";
import { ErrorBoundary } from "./ErrorScreen";
import { type Action, useActions } from "./keys";
import styles from "./PlanCentre.module.css";
import { goTo, setPlace, usePlace } from "./place";
import { centreTabs } from "./screens";

const { centre } = words.app;

const UnreadablePlan = lazy(() => import("../features/source/UnreadablePlan"));

export function PlanCentre() {
  const { plan, workspace, view } = usePlace();
  const outline = useOutline(plan);
  const isMissing = useIsMissing(workspace);
  const restorePlan = useRestorePlan();
  const tab = centreTabs.find((other) => other.id === view) ?? centreTabs[0];

  useActions(
    useMemo<Action[]>(
      () =>
        centreTabs.map((other) => ({
          id: `centre.${other.id}`,
          title: words.app.views.show(other.title),
          group: "go",
          keys: other.keys,
          run: () => {
            // A layout effect, because it has to run before the view renders, which may move focus.
            document.getElementById("centre")?.focus();
            setPlace({ view: other.id });
          },
        })),
      [],
    ),
  );

  // Preloads the graph's code, because loading it takes most of the time when the graph is opened.
  useEffect(() => {
    const early = window.setTimeout(() => {
      const graph = centreTabs.find((other) => other.id === "graph");
      void graph?.Body.load?.().catch(() => undefined);
    }, 1500);
    return () => window.clearTimeout(early);
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !tab) return;
    const next = centreTabs[(centreTabs.indexOf(tab) + by + centreTabs.length) % centreTabs.length];
    if (!next) return;
    setPlace({ view: next.id });
    document.getElementById(`centre-tab-${next.id}`)?.focus();
    event.preventDefault();
  };

  if (isMissing) {
    return (
      <EmptyState icon={<IconFileOff size={28} />} title={centre.folderGoneTitle}>
        <p>{centre.folderGone}</p>
        <Button variant="default" mt="sm" onClick={() => goTo("first")}>
          {centre.chooseFolder}
        </Button>
      </EmptyState>
    );
  }
  if (outline.isError) {
    const failure = (
      <ErrorState
        title={
          codeOf(outline.error) === "plan_gone"
            ? centre.planDeleted
            : codeOf(outline.error) === "unusable_plan"
              ? centre.planUnusable
              : centre.planUnreadable
        }
        error={outline.error}
        onRetry={() => void outline.refetch()}
      >
        {plan && codeOf(outline.error) === "plan_gone" && (
          <Button loading={restorePlan.isPending} onClick={() => restorePlan.mutate(plan)}>
            {centre.restore}
          </Button>
        )}
        <Button variant="default" onClick={() => goTo("first")}>
          {centre.backToStart}
        </Button>
      </ErrorState>
    );
    if (!plan || codeOf(outline.error) !== "unusable_plan") return failure;
    return (
      <Suspense fallback={<Loading lines={8} />}>
        <UnreadablePlan plan={plan}>{failure}</UnreadablePlan>
      </Suspense>
    );
  }
  if (!outline.data) return <Loading lines={8} label={centre.loading} />;
  return (
    <div className={styles.centre}>
      <div
        className={styles.tabs}
        role="tablist"
        aria-label={words.app.views.label}
        onKeyDown={onKeyDown}
      >
        {centreTabs.map((other) => (
          <button
            key={other.id}
            type="button"
            role="tab"
            id={`centre-tab-${other.id}`}
            aria-selected={other === tab}
            aria-controls="centre-view"
            tabIndex={other === tab ? 0 : -1}
            className={styles.tab}
            // If preloading fails, the failure is shown when the tab is opened.
            onPointerEnter={() => void other.Body.load?.().catch(() => undefined)}
            onClick={() => setPlace({ view: other.id })}
          >
            <other.icon size={15} />
            {other.title}
          </button>
        ))}
      </div>
      <AgentStrip plan={outline.data.plan} />
      <AgentRevision plan={outline.data.plan} />
      <ConflictBanner outline={outline.data} />
      {tab && (
        <div
          id="centre-view"
          className={styles.view}
          role="tabpanel"
          aria-labelledby={`centre-tab-${tab.id}`}
        >
          <ErrorBoundary at={`${tab.id}:${plan}`}>
            <tab.Body />
          </ErrorBoundary>
        </div>
      )}
    </div>
  );
}
