/** The agent that wrote a plan for its goal, if one did. */
import { useAgents } from "../../api/agents";
import { usePlanRoute } from "../../api/routes";

export interface WriterAgent {
  name: string;
  title: string;
}

interface Found {
  /** The agent, if it is found on this machine. */
  writer: WriterAgent | null;
  /** The title of an agent that wrote the plan and isn't found anymore. */
  missing: string | null;
  /** Whether the answer is known. */
  isKnown: boolean;
}

export function usePlanWriter(plan: string | null): Found {
  const route = usePlanRoute(plan);
  const name = route.data?.agent ?? null;
  const agents = useAgents(name !== null);
  const isKnown = !route.isLoading && !agents.isLoading;
  if (name === null || !agents.data) return { writer: null, missing: null, isKnown };
  const agent = agents.data.agents.find((one) => one.name === name);
  const title = agent?.title ?? name;
  if (!agent?.line) return { writer: null, missing: title, isKnown };
  return { writer: { name, title }, missing: null, isKnown };
}
