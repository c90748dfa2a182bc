/** Queries about planning routes: estimates per effort, planning progress, how a plan was made, and statistics. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { commands, type RouteStep } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** How far a planning job is. */
export interface PlanningNow {
  phase: string;
  /** Number of files read so far. */
  files: number;
  /** Number of characters received of the model's current reply. */
  said: number;
}

/** The progress of a planning job. Set by events. */
export function usePlanning(job: string | null) {
  return useQuery<PlanningNow>({ queryKey: keys.planning(job ?? ""), queryFn: skipToken }).data;
}

/** The plugins tried or skipped so far, in order. Set by events. */
export function usePlanningSteps(job: string | null) {
  return useQuery<RouteStep[]>({ queryKey: keys.planningSteps(job ?? ""), queryFn: skipToken })
    .data;
}

/** Estimates of each effort for a goal. The previous answer is kept while the next one is fetched. */
export function useEffortForecasts(workspace: string | null, model: string | null, goal: string) {
  const isAsked = workspace !== null && goal.trim() !== "";
  const query = useQuery({
    queryKey: keys.forecasts(model, workspace, goal),
    queryFn: isAsked ? () => ask(commands.forecastEfforts(workspace, goal)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
  });
  return { ...query, data: isAsked ? query.data : undefined };
}

/** How a plan was made for its goal; `null` if it wasn't made for one. */
export function usePlanRoute(plan: string | null) {
  return useQuery({
    queryKey: keys.planRoute(plan ?? ""),
    queryFn: plan ? () => ask(commands.planRoute(plan)) : skipToken,
  });
}

/** Statistics of past planning routes. */
export function useRouteInsights() {
  return useQuery({
    queryKey: keys.routeInsights,
    queryFn: () => ask(commands.routeInsights()),
  });
}
