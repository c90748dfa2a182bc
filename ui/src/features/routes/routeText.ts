/** Text about how plans are made: efforts and their estimates, durations, attempts, scores and sizes. The strings are in `words.routes`. */
import type { EffortForecast, PlanRoute, RouteStep } from "../../api/bindings";
import { words } from "../../words";

const { efforts: effortWords, forecast: cost, line, outlook, time } = words.routes;

export const efforts = [
  { id: "auto", ...effortWords.auto },
  { id: "quick", ...effortWords.quick },
  { id: "thorough", ...effortWords.thorough },
] as const;

export type EffortId = (typeof efforts)[number]["id"];

export const effortTitle = (id: string) => efforts.find((one) => one.id === id)?.title ?? id;

/** A measured duration, rounded: `0.1 s`, `4.2 s`, `14 s`, `2 min 5 s`. */
export function took(ms: number): string {
  if (ms < 50) return time.underTenth;
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return time.seconds((tenths / 10).toFixed(1));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return time.seconds(`${seconds}`);
  return time.minutes(Math.floor(seconds / 60), seconds % 60);
}

/** An estimated duration: `about 0.1 s`, `about 14 s`, `about 2 min`. */
export function roughly(ms: number): string {
  if (ms < 950) return time.aboutSeconds((Math.max(1, Math.round(ms / 100)) / 10).toFixed(1));
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return time.aboutSeconds(`${seconds}`);
  return time.aboutMinutes(Math.round(seconds / 30) / 2);
}

/** `no requests`, `1 request`, `3 requests`. */
export const requestWords = (requests: number) =>
  requests === 0 ? cost.noRequests : cost.requests(requests);

/** `about 14 s, 3 requests, 4,200 tokens · 8 of 10 accepted`; marked as estimated while too few outcomes are known. */
export function forecastWords(forecast: EffortForecast): string {
  const parts = [roughly(forecast.ms), requestWords(forecast.requests)];
  if (forecast.tokens > 0) parts.push(cost.tokens(forecast.tokens));
  const text = parts.join(", ");
  if (!forecast.is_learned) return cost.estimated(text);
  if (forecast.judged === 0) return text;
  return cost.accepted(text, forecast.accepted, forecast.judged);
}

const asksModel = (solver: string) => solver.startsWith("gs-llm");

/** Describes in one sentence what “Make a plan” will do. */
export function makeWords(
  effort: EffortId,
  forecast: EffortForecast | undefined,
  model: string,
): string {
  const solver =
    forecast?.route.find((plugin) => plugin.startsWith("gs-")) ??
    (effort === "thorough" ? "gs-llm-deep" : "gs-symbolic");
  // Without a goal there is no forecast, so the usual fallback is named.
  const next = forecast ? forecast.next : asksModel(solver) ? "gs-symbolic" : "gs-llm-fast";
  const fallback = next === "gs-symbolic" ? outlook.rulesAsFallback : "";
  if (solver === "gs-symbolic") {
    return next && asksModel(next) ? outlook.rulesThenModel(model) : outlook.rulesOnly;
  }
  if (solver === "gs-llm-fast") return outlook.oneRequest(model, fallback);
  if (solver === "gs-llm-deep") return outlook.drafts(model, fallback);
  return outlook.writes(solver, fallback);
}

/** What plugins of a kind do, in words. */
export const kindWords = (kind: string) => words.routes.kinds[kind] ?? kind;

export const statusWords = (status: string) => words.routes.statuses[status] ?? status;

/** The cost of an attempt: `12 s · 2 requests · 4,200 tokens`. Empty while it runs, and if it was skipped. */
export function stepCost(step: RouteStep): string {
  if (step.status === "running" || step.status === "skipped") return "";
  const parts = [took(step.ms)];
  if (step.requests > 0) parts.push(cost.requests(step.requests));
  if (step.tokens > 0) parts.push(cost.tokens(step.tokens));
  return parts.join(" · ");
}

/** Whether another agent writes the plan; the route's `model` is then the agent's name. */
const asksAgent = (solver: string) => solver === "gs-agent";

/** The plugin that wrote the plan, and the model or agent that it used, if any. */
export function madeBy(route: PlanRoute): { solver: string; model: string | null } {
  const { solver, model, requests } = route;
  const isAsked = asksModel(solver) || asksAgent(solver);
  return { solver, model: isAsked && requests > 0 ? model : null };
}

/** Whether templates and rules wrote the plan, without a model. */
export const isByRules = (route: PlanRoute) => !asksModel(route.solver) && !asksAgent(route.solver);

/** Who wrote the plan: `templates and rules` or `qwen2.5-coder:7b`. */
export const writerOf = (route: PlanRoute) =>
  isByRules(route) ? line.byRules : (madeBy(route).model ?? line.theModel);

/** `2 requests, 14 s`. */
export function routeCost(route: PlanRoute): string {
  const duration = took(route.ms);
  return route.requests > 0 ? line.requestsAndTime(route.requests, duration) : duration;
}

/** `+0.35`, `−0.12`, `0.00`. */
export function signed(value: number | null): string {
  const rounded = Math.abs(value ?? 0).toFixed(2);
  if (rounded === "0.00") return rounded;
  return `${(value ?? 0) < 0 ? "−" : "+"}${rounded}`;
}

/** A score, without a plus sign: `0.62`, `−0.10`. */
export const score = (value: number | null) => signed(value).replace("+", "");

/** `640 B`, `12 kB`, `3.4 MB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  if (value < 1_000_000) return `${Math.round(value / 1_000)} kB`;
  return `${(value / 1_000_000).toFixed(1)} MB`;
}

/** `bug-fix` as `bug fix`. */
export const requestKind = (request: string) =>
  request.replaceAll("-", " ") || words.routes.anyRequest;
