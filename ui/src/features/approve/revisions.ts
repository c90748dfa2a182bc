/** Revisions by the agents that wrote the plans, by plan: running, failed or cancelled. They continue while other plans and screens are shown. */
import { createStore } from "../../lib/store";
import type { WriterAgent } from "./usePlanWriter";

export interface AgentRevision {
  job: string;
  writer: WriterAgent;
  state: "running" | "cancelling" | "cancelled" | "failed";
  /** Why it failed, and what to do. */
  error: string | null;
}

export const agentRevisions = createStore<Record<string, AgentRevision>>({});

export function isRevising(
  revision: AgentRevision | undefined,
): revision is AgentRevision & { state: "running" | "cancelling" } {
  return revision?.state === "running" || revision?.state === "cancelling";
}

export function setRevision(plan: string, revision: AgentRevision): void {
  agentRevisions.set({ ...agentRevisions.get(), [plan]: revision });
}

export function dismissRevision(plan: string): void {
  const { [plan]: _, ...others } = agentRevisions.get();
  agentRevisions.set(others);
}
