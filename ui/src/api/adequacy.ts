/** What the window asks about a plan's adequacy beyond its findings: how it could grow, what is asked about it, how plans fared. Findings themselves: `queries.ts`. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { commands } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** What a revision could grow by. Worked out once for a revision; nothing is written. A `null` revision: not asked for yet. */
export function useExpansion(plan: string, revision: string | null) {
  return useQuery({
    queryKey: keys.expansion(plan, revision ?? ""),
    queryFn: revision ? () => ask(commands.expand(plan, revision)) : skipToken,
  });
}

/** What the chosen changes make of the plan. While it is asked, the answer before it stays. */
export function usePreviewExpansion(plan: string, revision: string, chosen: string[]) {
  return useQuery({
    queryKey: keys.previewExpansion(plan, revision, chosen),
    queryFn:
      chosen.length > 0 ? () => ask(commands.previewExpansion(plan, revision, chosen)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
}

/** The one question that is open about a plan; `null` when there is none. */
export function usePlanQuestion(plan: string | null) {
  return useQuery({
    queryKey: keys.question(plan ?? ""),
    queryFn: plan ? () => ask(commands.planQuestion(plan)) : skipToken,
  });
}

/** How the plans of a workspace fared, or one of them. */
export function useInsights(workspace: string | null, plan: string | null) {
  return useQuery({
    queryKey: keys.insights(workspace, plan),
    queryFn: workspace ? () => ask(commands.insights(workspace, plan)) : skipToken,
    placeholderData: keepPreviousData,
  });
}
