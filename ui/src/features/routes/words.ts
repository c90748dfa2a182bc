/** The words for the ways in which plans are made: efforts, what they take, plugins, and how a step went. */
import type { EffortForecast, PlanRoute, RouteStep } from "../../api/bindings";
import { count } from "../run/words";

export const efforts = [
  {
    id: "auto",
    title: "Auto",
    line: "Cheap ones first; more where they do not do.",
  },
  {
    id: "quick",
    title: "Quick",
    line: "The cheapest way to a plan; nothing heavy is tried.",
  },
  {
    id: "thorough",
    title: "Thorough",
    line: "Deep ones first: slower, and a fuller plan.",
  },
] as const;

export type EffortId = (typeof efforts)[number]["id"];

export const effortTitle = (id: string) => efforts.find((one) => one.id === id)?.title ?? id;

/** `0.1 s`, `4.2 s`, `14 s`, `2 min 5 s`: what was measured, no finer than it matters. */
export function took(ms: number): string {
  if (ms < 50) return "under 0.1 s";
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `about 0.1 s`, `about 14 s`, `about 2 min`: what is expected. */
export function roughly(ms: number): string {
  if (ms < 950) return `about ${(Math.max(1, Math.round(ms / 100)) / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `about ${seconds} s`;
  const halves = Math.round(seconds / 30) / 2;
  return `about ${halves} min`;
}

/** `no request`, `1 request`, `3 requests`. */
export const requestWords = (requests: number) =>
  requests === 0 ? "no request" : count(requests, "request");

/** `about 14 s, 3 requests, 4,200 tokens · accepted 8 of 10`; what no outcome says is said to be expected. */
export function forecastWords(forecast: EffortForecast): string {
  const parts = [roughly(forecast.ms), requestWords(forecast.requests)];
  if (forecast.tokens > 0) parts.push(count(forecast.tokens, "token"));
  const cost = parts.join(", ");
  if (!forecast.is_learned) return `expected: ${cost}`;
  if (forecast.judged === 0) return cost;
  return `${cost} · accepted ${forecast.accepted} of ${forecast.judged}`;
}

const asksModel = (solver: string) => solver.startsWith("gs-llm");

/** What a click on “Make a plan” leads to, in one sentence. */
export function makeWords(
  effort: EffortId,
  forecast: EffortForecast | undefined,
  model: string,
): string {
  const solver =
    forecast?.route.find((plugin) => plugin.startsWith("gs-")) ??
    (effort === "thorough" ? "gs-llm-deep" : "gs-symbolic");
  // Nothing is known of what comes next before there is a goal: then what is usual.
  const next = forecast ? forecast.next : asksModel(solver) ? "gs-symbolic" : "gs-llm-fast";
  const behind = next === "gs-symbolic" ? "; rules and templates where that does not do" : "";
  if (solver === "gs-symbolic") {
    return next && asksModel(next)
      ? `Rules and templates first; ${model} where they do not do.`
      : "By rules and templates alone.";
  }
  if (solver === "gs-llm-fast") return `${model} writes it in one request${behind}.`;
  if (solver === "gs-llm-deep") return `${model} drafts it and looks for gaps${behind}.`;
  return `${solver} writes it${behind}.`;
}

const kinds: Record<string, string> = {
  detector: "Reads the goal",
  kb: "Gathers",
  solver: "Writes the plan",
  planner: "Chooses the others",
};

/** What a kind of plugin does. */
export const kindWords = (kind: string) => kinds[kind] ?? kind;

const statuses: Record<string, string> = {
  running: "under way",
  success: "done",
  weak: "too little",
  failed: "failed",
  skipped: "skipped",
};

export const statusWords = (status: string) => statuses[status] ?? status;

/** `12 s · 2 requests · 4,200 tokens`: what a step took; nothing for one that took nothing. */
export function stepCost(step: RouteStep): string {
  if (step.status === "running" || step.status === "skipped") return "";
  const parts = [took(step.ms)];
  if (step.requests > 0) parts.push(count(step.requests, "request"));
  if (step.tokens > 0) parts.push(count(step.tokens, "token"));
  return parts.join(" · ");
}

/** `gs-llm-fast with qwen2.5-coder:7b`: what wrote the plan, and whom it asked. */
export function madeBy(route: PlanRoute): { solver: string; model: string | null } {
  const { solver, model, requests } = route;
  return { solver, model: asksModel(solver) && requests > 0 ? model : null };
}

/** Whether templates and rules wrote the plan, and no model. */
export const isByRules = (route: PlanRoute) => !asksModel(route.solver);

/** `templates and rules`, `qwen2.5-coder:7b`: who wrote the plan, in plain words. */
export const writerOf = (route: PlanRoute) =>
  isByRules(route) ? "templates and rules" : (madeBy(route).model ?? "the model");

/** `2 requests, 14 s`. */
export function routeCost(route: PlanRoute): string {
  const time = took(route.ms);
  return route.requests > 0 ? `${count(route.requests, "request")}, ${time}` : time;
}

/** `+0.35`, `−0.12`, `0`. */
export function signed(value: number | null): string {
  const rounded = Math.abs(value ?? 0).toFixed(2);
  if (rounded === "0.00") return rounded;
  return `${(value ?? 0) < 0 ? "−" : "+"}${rounded}`;
}

/** A score as it stands alone: `0.62`, `−0.10`. */
export const score = (value: number | null) => signed(value).replace("+", "");

/** `640 B`, `12 kB`, `3.4 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** `bug-fix` as people say it. */
export const requestKind = (request: string) => request.replaceAll("-", " ") || "any request";
