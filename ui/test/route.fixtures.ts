/** How the plan was made, without a model; tests override what differs. */
import type { PlanRoute } from "../src/api/bindings";
import { revision } from "./backend";

export const ruleRoute: PlanRoute = {
  revision,
  at_ms: 0,
  effort: "auto",
  planner: "planner-default",
  detector: "sd-symbolic",
  kb: "kb-fast",
  solver: "gs-symbolic",
  agent: null,
  model: null,
  requests: 0,
  tokens: 0,
  ms: 0,
  fallback: null,
  weakness: null,
  conversation: false,
  reasons: [],
  steps: [],
  stages: [],
  knowledge: [],
};
