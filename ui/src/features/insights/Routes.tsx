/** The results of each route, by kind of request and model. They decide which route is tried first, and can be forgotten. */
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
import { words } from "../../words";
import { requestKind, took } from "../routes/routeText";
import styles from "./Insights.module.css";
import { type RouteGroup, routeGroups } from "./routeGroups";

const { routes: text, forgetDialog, columns } = words.insights;

/** The possible results of attempts, as columns and as parts of the bar. */
const outcomes = [
  { id: "used", title: text.used, tone: "good", of: (one: RouteFigures) => one.successes },
  {
    id: "little",
    title: text.insufficient,
    tone: "warn",
    of: (one: RouteFigures) => one.insufficiency,
  },
  { id: "failed", title: text.failed, tone: "risk", of: (one: RouteFigures) => one.failures },
] as const;

const barWidth = 80;

/** Minimum number of outcomes for a figure to affect the order in which routes are tried. */
const countsFrom = 5;

/** The figures that the open dialog offers to forget. */
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
          title: text.action,
          group: "plan",
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
      onSuccess: (requests) => {
        setAsked(null);
        showToast({ tone: "info", title: text.forgotten(requests) });
      },
    });
  };

  return (
    <section className={styles.routes} aria-labelledby="insights-routes">
      <div className={styles.groupHead}>
        <h2 id="insights-routes" className={styles.heading}>
          {text.title}
        </h2>
        {hasSome && (
          <Button size="compact-xs" variant="default" onClick={() => setAsked("all")}>
            {text.forgetAll}
          </Button>
        )}
      </div>
      {insights.isError ? (
        <ErrorState
          title={text.errorTitle}
          error={insights.error}
          onRetry={() => void insights.refetch()}
        />
      ) : !insights.data ? (
        <Loading lines={3} label={text.loading} />
      ) : !hasSome ? (
        <p className={styles.dim}>{text.empty(countsFrom)}</p>
      ) : (
        groups.map((group) => (
          <div key={group.id} className={styles.group}>
            <div className={styles.groupHead}>
              <h3 className={styles.groupName}>{groupName(group)}</h3>
              <LinkButton
                aria-label={text.forgetGroup(groupName(group))}
                onClick={() => setAsked(group)}
              >
                {text.forget}
              </LinkButton>
            </div>
            <Figures group={group} />
          </div>
        ))
      )}
      <ConfirmDialog
        opened={asked !== null}
        title={
          asked === "all" || !asked ? forgetDialog.titleAll : forgetDialog.title(groupName(asked))
        }
        confirm={forgetDialog.confirm}
        danger
        busy={forget.isPending}
        onConfirm={onForget}
        onClose={() => setAsked(null)}
      >
        <p>{asked === "all" || !asked ? forgetDialog.all : forgetDialog.group(groupName(asked))}</p>
      </ConfirmDialog>
    </section>
  );
}

function groupName({ request, model }: RouteGroup): string {
  return `${requestKind(request)} · ${model || text.noModel}`;
}

function Figures({ group }: { group: RouteGroup }) {
  const most = Math.max(1, ...group.rows.map((one) => one.attempts));
  return (
    <div
      className={styles.scroll}
      role="group"
      aria-label={text.label(groupName(group))}
      tabIndex={0}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.plugin}</th>
            <td aria-hidden />
            <th scope="col" data-number>
              {columns.tried}
            </th>
            {outcomes.map(({ id, title, tone }) => (
              <th key={id} scope="col" data-number>
                <PartSwatch tone={tone} />
                {title}
              </th>
            ))}
            <th scope="col" data-number>
              {columns.accepted}
            </th>
            <th scope="col" data-number>
              {columns.usualTime}
            </th>
            <th scope="col" data-number>
              {columns.tokens}
            </th>
            <th scope="col">{columns.counts}</th>
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
                  parts={outcomes.map(({ id, tone, of }) => ({ id, tone, value: of(one) }))}
                  most={most}
                  width={barWidth}
                />
              </td>
              <td data-number>{one.attempts}</td>
              {outcomes.map(({ id, of }) => (
                <td key={id} data-number data-none={of(one) === 0 || undefined}>
                  {of(one)}
                </td>
              ))}
              <td data-number data-none={one.judged === 0 || undefined}>
                {one.judged === 0 ? "–" : text.accepted(one.accepted, one.judged)}
              </td>
              <td data-number>{took(one.ms ?? 0)}</td>
              <td data-number data-none={!one.tokens || undefined}>
                {Math.round(one.tokens ?? 0).toLocaleString("en")}
              </td>
              <td>{one.counts ? text.counts : text.countsFrom(countsFrom)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
