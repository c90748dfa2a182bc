/** What was learned of the ways in which plans are made, by kind of request and model. It decides what is tried first; it can be forgotten. */
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import type { RouteFigures } from "../../api/bindings";
import { useForgetRoutes } from "../../api/mutations";
import { useRouteInsights } from "../../api/routes";
import { type Action, useActions } from "../../app/keys";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { LinkButton } from "../../components/LinkButton";
import { PartSwatch, PartsBar } from "../../components/PartsBar";
import { ErrorState, Loading } from "../../components/States";
import { showToast } from "../../lib/toast";
import { requestKind, took } from "../routes/words";
import { count } from "../run/words";
import styles from "./Insights.module.css";
import { type RouteGroup, routeGroups } from "./routeGroups";

/** How each try ended, as the columns and the bar have it. */
const ends = [
  { id: "used", title: "Used", tone: "good", of: (one: RouteFigures) => one.successes },
  { id: "little", title: "Too little", tone: "warn", of: (one: RouteFigures) => one.insufficiency },
  { id: "failed", title: "Failed", tone: "risk", of: (one: RouteFigures) => one.failures },
] as const;

const barWidth = 80;

/** From that many outcomes on a figure counts in the order. */
const countsFrom = 5;

/** What is to be forgotten: one group, or all. */
type Asked = RouteGroup | "all";

export function Routes() {
  const insights = useRouteInsights();
  const forget = useForgetRoutes();
  const [asked, setAsked] = useState<Asked | null>(null);
  const groups = useMemo(() => routeGroups(insights.data?.rows ?? []), [insights.data]);
  const hasSome = groups.length > 0;
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "insights.forgetRoutes",
          title: "Forget what was learned of routes…",
          group: "Plan",
          keys: "f r",
          when: () => hasSome,
          run: () => setAsked("all"),
        },
      ],
      [hasSome],
    ),
  );
  const onForget = () => {
    if (!asked) return;
    const of =
      asked === "all"
        ? { request: null, model: null }
        : { request: asked.request, model: asked.model };
    forget.mutate(of, {
      onSuccess: (plans) => {
        setAsked(null);
        showToast({ tone: "info", title: `What ${count(plans, "request")} taught is forgotten` });
      },
    });
  };

  return (
    <section className={styles.routes} aria-labelledby="insights-routes">
      <div className={styles.groupHead}>
        <h2 id="insights-routes" className={styles.heading}>
          Routes
        </h2>
        {hasSome && (
          <Button size="compact-xs" variant="default" onClick={() => setAsked("all")}>
            Forget all…
          </Button>
        )}
      </div>
      {insights.isError ? (
        <ErrorState
          title="What was learned of routes cannot be shown"
          error={insights.error}
          onRetry={() => void insights.refetch()}
        />
      ) : !insights.data ? (
        <Loading lines={3} label="Reading what was learned" />
      ) : !hasSome ? (
        <p className={styles.dim}>
          Nothing was learned yet: make a plan, and approve it or throw it away. From {countsFrom}{" "}
          outcomes on a figure counts in what is tried first.
        </p>
      ) : (
        groups.map((group) => (
          <div key={group.id} className={styles.group}>
            <div className={styles.groupHead}>
              <h3 className={styles.groupName}>{groupWords(group)}</h3>
              <LinkButton
                aria-label={`Forget ${groupWords(group)}`}
                onClick={() => setAsked(group)}
              >
                Forget…
              </LinkButton>
            </div>
            <Figures group={group} />
          </div>
        ))
      )}
      <ConfirmDialog
        opened={asked !== null}
        title={asked === "all" || !asked ? "Forget all routes?" : `Forget ${groupWords(asked)}?`}
        confirm="Forget"
        danger
        busy={forget.isPending}
        onConfirm={onForget}
        onClose={() => setAsked(null)}
      >
        <p>
          {asked === "all" || !asked
            ? "How every way to a plan fared is forgotten"
            : `How the ways to a plan fared for ${groupWords(asked)} is forgotten`}
          , and what is tried first is decided as on the first day: cheap ones first. The plans,
          their histories and the reasons kept with them stay. It cannot be undone.
        </p>
      </ConfirmDialog>
    </section>
  );
}

function groupWords({ request, model }: RouteGroup): string {
  return `${requestKind(request)} · ${model || "no model"}`;
}

function Figures({ group }: { group: RouteGroup }) {
  const most = Math.max(1, ...group.rows.map((one) => one.attempts));
  return (
    <div
      className={styles.scroll}
      role="group"
      aria-label={`Routes: ${groupWords(group)}`}
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Plugin</th>
            <td aria-hidden />
            <th scope="col" data-number>
              Tried
            </th>
            {ends.map(({ id, title, tone }) => (
              <th key={id} scope="col" data-number>
                <PartSwatch tone={tone} />
                {title}
              </th>
            ))}
            <th scope="col" data-number>
              Accepted
            </th>
            <th scope="col" data-number>
              Usual time
            </th>
            <th scope="col" data-number>
              Tokens
            </th>
            <th scope="col">Counts</th>
          </tr>
        </thead>
        <tbody>
          {group.rows.map((one) => (
            <tr key={one.plugin}>
              <th scope="row">
                <code>{one.plugin}</code>
              </th>
              <td aria-hidden>
                <PartsBar
                  parts={ends.map(({ id, tone, of }) => ({ id, tone, value: of(one) }))}
                  most={most}
                  width={barWidth}
                />
              </td>
              <td data-number>{one.attempts}</td>
              {ends.map(({ id, of }) => (
                <td key={id} data-number data-none={of(one) === 0 || undefined}>
                  {of(one)}
                </td>
              ))}
              <td data-number data-none={one.judged === 0 || undefined}>
                {one.judged === 0 ? "–" : `${one.accepted} of ${one.judged}`}
              </td>
              <td data-number>{took(one.ms ?? 0)}</td>
              <td data-number data-none={!one.tokens || undefined}>
                {Math.round(one.tokens ?? 0).toLocaleString("en")}
              </td>
              <td>{one.counts ? "yes" : `from ${countsFrom} on`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
