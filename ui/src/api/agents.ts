/** Queries and mutations for other agents on this machine. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { words } from "../words";
import { commands } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

const { failed } = words.errors;

/** The agents on this machine, and the hooks in their settings. */
export function useAgents() {
  return useQuery({
    queryKey: keys.agents,
    queryFn: () => ask(commands.agents()),
    staleTime: 15_000,
  });
}

interface Trial {
  workspace: string;
  name: string;
}

/** Starts an agent, opens a session in its plan mode, and ends it. Its error is shown in place. */
export function useTryAgent() {
  return useMutation({
    mutationFn: ({ workspace, name }: Trial) => ask(commands.tryAgent(workspace, name)),
  });
}

export function useCancelAgentTrial() {
  return useMutation({
    mutationFn: () => ask(commands.cancelAgentTrial()),
    meta: { failure: failed.cancelAgentTrial },
  });
}
