/** The centre while a plan is open: its tabs, or why it cannot be shown. */
import { Button } from "@mantine/core";
import { IconFileOff } from "@tabler/icons-react";
import { Suspense, useMemo, useState } from "react";
import { codeOf } from "../api/client";
import { useBringBack } from "../api/mutations";
import { useIsMissing, useOutline } from "../api/queries";
import { EmptyState, ErrorState, Loading } from "../components/States";
import { type Action, useActions } from "./keys";
import styles from "./PlanCentre.module.css";
import { goTo, usePlace } from "./place";
import { centreTabs } from "./screens";

export function PlanCentre() {
  const { plan, workspace } = usePlace();
  const outline = useOutline(plan);
  const isMissing = useIsMissing(workspace);
  const bringBack = useBringBack();
  const [chosen, setChosen] = useState(centreTabs[0]?.id);
  const tab = centreTabs.find((other) => other.id === chosen) ?? centreTabs[0];

  useActions(
    useMemo<Action[]>(
      () =>
        centreTabs.length < 2
          ? []
          : centreTabs.map((other, at) => ({
              id: `centre.${other.id}`,
              title: `Show the ${other.title.toLowerCase()}`,
              group: "Go to",
              keys: `mod+${at + 1}`,
              run: () => setChosen(other.id),
            })),
      [],
    ),
  );

  if (isMissing) {
    return (
      <EmptyState icon={<IconFileOff size={28} />} title="The folder of this plan is gone">
        <p>
          It was moved, deleted, or is on a disk that is not there. When it is back, the plan is
          too. What you typed is kept.
        </p>
        <Button variant="default" mt="sm" onClick={() => goTo("first")}>
          Choose another folder
        </Button>
      </EmptyState>
    );
  }
  if (outline.isError) {
    return (
      <ErrorState
        title={
          codeOf(outline.error) === "plan_gone"
            ? "The file of this plan is gone"
            : codeOf(outline.error) === "unusable_plan"
              ? "This plan cannot be shown"
              : "The plan could not be read"
        }
        error={outline.error}
        onRetry={() => void outline.refetch()}
      >
        {plan && codeOf(outline.error) === "plan_gone" && (
          <Button loading={bringBack.isPending} onClick={() => bringBack.mutate(plan)}>
            Bring it back
          </Button>
        )}
        <Button variant="default" onClick={() => goTo("first")}>
          Back to the first screen
        </Button>
      </ErrorState>
    );
  }
  if (!outline.data) return <Loading lines={8} label="Loading the plan" />;
  return (
    <div className={styles.centre}>
      {centreTabs.length > 0 && (
        <div className={styles.tabs} role="tablist" aria-label="Views of the plan">
          {centreTabs.map((other) => (
            <button
              key={other.id}
              type="button"
              role="tab"
              id={`centre-tab-${other.id}`}
              aria-selected={other === tab}
              aria-controls="centre-view"
              className={styles.tab}
              onClick={() => setChosen(other.id)}
            >
              <other.icon size={15} />
              {other.title}
            </button>
          ))}
        </div>
      )}
      {tab && (
        <div
          id="centre-view"
          className={styles.view}
          role="tabpanel"
          aria-labelledby={`centre-tab-${tab.id}`}
        >
          <Suspense fallback={<Loading lines={8} />}>
            <tab.Body />
          </Suspense>
        </div>
      )}
    </div>
  );
}
