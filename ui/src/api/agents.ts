/** Queries and mutations for other agents on this machine. */
import { skipToken, useMutation, useQuery } from "@tanstack/react-query";
import { words } from "../words";
import { commands, type RevisionRequest } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

const { failed } = words.errors;

/** The agents on this machine, and the hooks in their settings. Fetched only if `isNeeded`. */
export function useAgents(isNeeded = true) {
  return useQuery({
    queryKey: keys.agents,
    queryFn: isNeeded ? () => ask(commands.agents()) : skipToken,
    staleTime: 15_000,
  });
}

interface Trial {
  workspace: string;
  name: string;
}

/** Tries an agent: starts it, opens a session in its plan mode, and ends it. The caller shows errors. */
export function useTryAgent() {
  return useMutation({
    mutationFn: ({ workspace, name }: Trial) => ask(commands.tryAgent(workspace, name)),
  });
}

/** Has an agent revise a plan according to the unsent comments. Errors are shown above the plan. */
export function useReviseWithAgent() {
  return useMutation({
    mutationFn: (request: RevisionRequest) => ask(commands.reviseWithAgent(request)),
  });
}

export function useCancelAgentTrial() {
  return useMutation({
    mutationFn: () => ask(commands.cancelAgentTrial()),
    meta: { failure: failed.cancelAgentTrial },
  });
}
