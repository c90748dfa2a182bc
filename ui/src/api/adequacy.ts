/** Queries about a plan's adequacy: its expansion, its open question, its insights. Findings are in `queries.ts`. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { commands } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** The expansion proposed for a revision. Computed once per revision; nothing is written. With `null`, nothing is fetched yet. */
export function useExpansion(plan: string, revision: string | null) {
  return useQuery({
    queryKey: keys.expansion(plan, revision ?? ""),
    queryFn: revision ? () => ask(commands.expand(plan, revision)) : skipToken,
  });
}

/** A preview of the plan with the chosen changes. The previous answer is kept while the next one is fetched. */
export function usePreviewExpansion(plan: string, revision: string, chosen: string[]) {
  return useQuery({
    queryKey: keys.previewExpansion(plan, revision, chosen),
    queryFn:
      chosen.length > 0 ? () => ask(commands.previewExpansion(plan, revision, chosen)) : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
}

/** A plan's open question; `null` when there is none. */
export function usePlanQuestion(plan: string | null) {
  return useQuery({
    queryKey: keys.question(plan ?? ""),
    queryFn: plan ? () => ask(commands.planQuestion(plan)) : skipToken,
  });
}

/** Insights into the plans of a workspace, or into one of them. */
export function useInsights(workspace: string | null, plan: string | null) {
  return useQuery({
    queryKey: keys.insights(workspace, plan),
    queryFn: workspace ? () => ask(commands.insights(workspace, plan)) : skipToken,
    placeholderData: keepPreviousData,
  });
}
