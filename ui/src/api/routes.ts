/** What the window asks about the ways in which plans are made: what an effort would take, how far planning is, how a plan came to be, and what was learned. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { commands, type RouteStep } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** How far planning is. */
export interface PlanningNow {
  phase: string;
  /** Files read so far. */
  files: number;
  /** Characters that a model said to what it is asked now. */
  said: number;
}

/** Told by events. */
export function usePlanning(job: string | null) {
  return useQuery<PlanningNow>({ queryKey: keys.planning(job ?? ""), queryFn: skipToken }).data;
}

/** What was tried so far, in order. Told by events. */
export function usePlanningSteps(job: string | null) {
  return useQuery<RouteStep[]>({ queryKey: keys.planningSteps(job ?? ""), queryFn: skipToken })
    .data;
}

/** What each effort would take for a goal. While it is asked, the answer before it stays. */
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

/** How a plan came to be that was made for a goal; `null` for others. */
export function usePlanRoute(plan: string | null) {
  return useQuery({
    queryKey: keys.planRoute(plan ?? ""),
    queryFn: plan ? () => ask(commands.planRoute(plan)) : skipToken,
  });
}

/** What was learned of the ways in which plans are made. */
export function useRouteInsights() {
  return useQuery({
    queryKey: keys.routeInsights,
    queryFn: () => ask(commands.routeInsights()),
  });
}
