/** All query keys. The content of a revision (`at`) never changes; current state is under `plan`, `run` or its own key. */
import type { Edit, RowFilter } from "./bindings";

export const keys = {
  start: ["start"] as const,
  windowInfo: ["window"] as const,
  workspace: (workspace: string) => ["workspace", workspace] as const,
  missing: (workspace: string) => ["missing", workspace] as const,
  plans: (workspace: string) => ["plans", workspace] as const,
  goal: (workspace: string | null, goal: string) => ["goal", workspace, goal] as const,
  planning: (job: string) => ["planning", job] as const,
  /** The plugins tried or skipped so far by a planning job. */
  planningSteps: (job: string) => ["planningSteps", job] as const,

  /** Prefix for the current state of a plan. */
  plan: (plan: string) => ["plan", plan] as const,
  outline: (plan: string) => ["plan", plan, "outline"] as const,
  runsOf: (plan: string) => ["plan", plan, "runs"] as const,
  history: (plan: string) => ["plan", plan, "history"] as const,
  conflicts: (plan: string) => ["plan", plan, "conflicts"] as const,
  origin: (plan: string) => ["plan", plan, "origin"] as const,
  /** The current text of the plan; `source` has the text of a revision. */
  sourceNow: (plan: string) => ["plan", plan, "source"] as const,

  /** How a plan was made. Outside of `plan`, because edits don't change it. */
  planRoute: (plan: string) => ["route", plan] as const,

  /** Prefix for all revisions of a plan. */
  of: (plan: string) => ["at", plan] as const,
  /** Prefix for one revision. */
  at: (plan: string, revision: string) => ["at", plan, revision] as const,
  rows: (plan: string, revision: string, from: number) =>
    ["at", plan, revision, "rows", from] as const,
  rowIndex: (plan: string, revision: string, task: string) =>
    ["at", plan, revision, "index", task] as const,
  task: (plan: string, revision: string, task: string) =>
    ["at", plan, revision, "task", task] as const,
  section: (plan: string, revision: string, section: string) =>
    ["at", plan, revision, "section", section] as const,
  findings: (plan: string, revision: string) => ["at", plan, revision, "findings"] as const,
  findTasks: (plan: string, revision: string, words: string) =>
    ["at", plan, revision, "find", words] as const,
  previewDelete: (plan: string, revision: string, task: string) =>
    ["at", plan, revision, "delete", task] as const,
  previewFix: (plan: string, revision: string, finding: string, option: number) =>
    ["at", plan, revision, "fix", finding, option] as const,
  expansion: (plan: string, revision: string) => ["at", plan, revision, "expansion"] as const,
  previewExpansion: (plan: string, revision: string, chosen: string[]) =>
    ["at", plan, revision, "expanded", chosen] as const,

  previewEdit: (plan: string, revision: string, edit: Edit | null) =>
    ["at", plan, revision, "edit", edit] as const,
  rowRuns: (plan: string, revision: string, filter: RowFilter | null) =>
    ["at", plan, revision, "runs", filter] as const,
  graph: (plan: string, revision: string) => ["at", plan, revision, "graph"] as const,
  source: (plan: string, revision: string) => ["at", plan, revision, "source"] as const,
  /** Never stale, because revisions don't change. */
  compare: (plan: string, from: string, to: string) => ["compare", plan, from, to] as const,
  /** The check of a text that is being typed, identified by its `hash`. */
  textReport: (plan: string, hash: string) => ["text", plan, hash] as const,

  files: (workspace: string, words: string) => ["files", workspace, words] as const,
  knownCommands: (workspace: string) => ["commands", workspace] as const,
  /** Prefix for searches in any workspace. */
  searches: ["search"] as const,
  search: (workspace: string, words: string) => ["search", workspace, words] as const,
  /** Outside of `review`, because comments and marks don't change drafts. */
  drafts: (plan: string) => ["drafts", plan] as const,
  /** Prefix for the comments of a plan and the review that an agent waits for. */
  review: (plan: string) => ["review", plan] as const,
  comments: (plan: string) => ["review", plan, "comments"] as const,
  waitingReview: (plan: string) => ["review", plan, "waiting"] as const,
  /** Prefix for a plan's approvals. They also depend on comments, settings and the repository, so they aren't cached for long. */
  approvals: (plan: string) => ["approval", plan] as const,
  approval: (plan: string, revision: string, upto: string | null) =>
    ["approval", plan, revision, upto] as const,

  /** Prefix for a run. */
  run: (run: string) => ["run", run] as const,
  runView: (run: string) => ["run", run, "view"] as const,
  runStep: (run: string, task: string) => ["run", run, "step", task] as const,
  receipt: (run: string) => ["run", run, "receipt"] as const,
  changes: (run: string, task: string | null) => ["run", run, "changes", task] as const,
  fileDiff: (run: string, task: string | null, path: string) =>
    ["run", run, "diff", task, path] as const,
  /** Set by events only; outside of `run`, so that it is never fetched. */
  progress: (run: string) => ["progress", run] as const,
  /** Like `progress`, for the steps that run in parallel. */
  beside: (run: string) => ["beside", run] as const,

  /** Prefix for the current state of a conversation. */
  talk: (session: string) => ["talk", session] as const,
  talkView: (session: string) => ["talk", session, "view"] as const,
  talkRows: (session: string, from: number) => ["talk", session, "rows", from] as const,
  talkCall: (session: string, call: string) => ["talk", session, "call", call] as const,
  /** Never stale, because a proposal doesn't change. */
  talkProposal: (session: string, row: number) => ["talkProposal", session, row] as const,
  /** The reply being written; events append to it. */
  talkLive: (session: string) => ["talkLive", session] as const,
  talkOf: (plan: string) => ["talkOf", plan] as const,
  /** Prefix for conversations of any workspace. */
  allTalks: ["talks"] as const,
  talks: (workspace: string) => ["talks", workspace] as const,

  inbox: ["inbox"] as const,
  /** Prefix for open questions of any plan. */
  questions: ["question"] as const,
  question: (plan: string) => ["question", plan] as const,
  /** Prefix for insights of any workspace. */
  allInsights: ["insights"] as const,
  insights: (workspace: string | null, plan: string | null) =>
    ["insights", workspace, plan] as const,
  /** Statistics of past planning routes. */
  routeInsights: ["insights", "routes"] as const,
  /** Prefix for estimates of each effort, which depend on what was learned, on settings and the model. */
  allForecasts: ["insights", "forecast"] as const,
  forecasts: (model: string | null, workspace: string | null, goal: string) =>
    ["insights", "forecast", model, workspace, goal] as const,
  /** Prefix for models and servers. */
  models: ["models"] as const,
  modelKey: ["models", "key"] as const,
  modelJob: ["models", "job"] as const,
  /** Outside of `models`, because the search takes a second and events don't change its result. */
  foundModels: ["foundModels"] as const,
  serverModels: (baseUrl: string, keyVariable: string | null) =>
    ["serverModels", baseUrl, keyVariable] as const,
  settings: (workspace: string | null) => ["settings", workspace] as const,
  /** Other agents on this machine. Under `settings`, because settings can add agents. */
  agents: ["settings", "agents"] as const,
  templates: (workspace: string | null) => ["templates", workspace] as const,
  template: (workspace: string | null, name: string) => ["template", workspace, name] as const,
};
