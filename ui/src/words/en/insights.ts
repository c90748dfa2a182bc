/** The Insights screen: adequacy by revision, expansions, findings, approvals, and what was learned about routes. */
import { count } from "./count";

export const insights = {
  title: "Insights",
  lead: "The score of each plan revision, and what was done about it. Stored only on this machine.",
  plan: "Plan",
  allPlans: "All plans",
  noFolderTitle: "No folder open",
  noFolderHint: "Open a folder with plans to see how they score.",
  errorTitle: "Couldn’t load the insights",
  loading: "Loading insights",
  emptyTitle: "Nothing to show yet",
  emptyHint:
    "Insights appear as you work: a point for each scored revision, a row for each expansion, and a count of findings that were fixed, muted or overridden.",

  /** Column headings. */
  columns: {
    when: "When",
    plan: "Plan",
    revision: "Revision",
    by: "By",
    badge: "Badge",
    score: "Score",
    risk: "Risk",
    steps: "Steps",
    scoreRange: "Score (0–100)",
    accepted: "Accepted",
    rounds: "Rounds",
    outcome: "Outcome",
    kind: "Kind",
    plugin: "Plugin",
    tried: "Tried",
    usualTime: "Usual time",
    tokens: "Tokens",
    counts: "Affects order",
  },

  adequacy: {
    title: "Adequacy by revision",
    empty: "No revisions scored yet. Edit a plan to get the first one.",
    label: "Revisions, oldest first",
    score: "score",
    risk: "risk",
    tooThin: "too thin",
    tooThinWithFinding: "too thin, with a plan-level finding",
    riskAndSteps: (risk: number, steps: number) => `risk ${risk} · ${count(steps, "step")}`,
    /** The text of a point for screen readers. */
    point: (point: {
      badge: string;
      score: number;
      risk: number;
      steps: number;
      when: string;
      revision: string;
      path: string;
    }) =>
      `${point.badge} ${point.score}, risk ${point.risk}, ${count(point.steps, "step")}, ${point.when}, revision ${point.revision} of ${point.path}`,
    showInHistory: "Show in history",
    showRevision: (revision: string) => `Show ${revision} in history`,
    help: "Arrow keys move between revisions, Enter opens the history.",
    notShown: (n: number) => `${count(n, "older revision")} not shown.`,
    asTable: "Show as table",
    table: "Revisions",
  },

  /** The authors of a revision. */
  authors: {
    person: "by a person",
    model: "by a model",
    app: "by Planwright",
    outside: "by another program",
  } as Record<string, string>,

  expansions: {
    title: "Expansions, before and after",
    empty: "No plan expanded yet. Choose Expand… in the bar or in the findings.",
    label: "Expansions",
    accepted: (accepted: number, offered: number) => `${accepted} of ${offered}`,
    noImprovement: "no improvement",
  },

  findings: {
    title: "What happened to findings",
    empty: "No findings yet.",
    label: "Findings by kind",
    fixed: "Fixed",
    muted: "Muted",
    overridden: "Overridden",
    open: "Open",
  },

  approvals: {
    title: "Approvals",
    empty: "No approvals yet.",
    count: (n: number) => `${count(n, "approval")}.`,
    untimed: (n: number) =>
      `${count(n, "approval")}, given outside the app, so the time on screen is unknown.`,
    oneTimed: (time: string) => `One in the app, on screen for ${time}.`,
    timed: (n: number, usual: string, quick: number) =>
      `${n} in the app: half were on screen for less than ${usual}, ${quick} for less than two seconds.`,
    quick: (quick: number, last: number) =>
      `${quick} of the last ${last} took less than two seconds, too short to read a plan.`,
  },

  /** Statistics of past planning routes. */
  routes: {
    title: "Routes",
    label: (group: string) => `Routes: ${group}`,
    noModel: "no model",
    forgetAll: "Forget all…",
    forget: "Forget…",
    forgetGroup: (group: string) => `Forget ${group}`,
    errorTitle: "Couldn’t load the routes",
    loading: "Loading routes",
    empty: (from: number) =>
      `Nothing learned yet. Make a plan, then approve or discard it. After ${from} outcomes, a plugin’s results affect what is tried first.`,
    used: "Used",
    insufficient: "Insufficient",
    failed: "Failed",
    accepted: (accepted: number, judged: number) => `${accepted} of ${judged}`,
    counts: "yes",
    countsFrom: (from: number) => `after ${from}`,
    action: "Forget what was learned about routes…",
    forgotten: (requests: number) => `Forgot the results of ${count(requests, "request")}`,
  },

  forgetDialog: {
    titleAll: "Forget all routes?",
    title: (group: string) => `Forget ${group}?`,
    confirm: "Forget",
    all: "Deletes the results of all routes, so the cheapest is tried first again. Plans, their history and the reasons stored with them are kept. This can’t be undone.",
    group: (group: string) =>
      `Deletes the results of routes for ${group}, so the cheapest is tried first again. Plans, their history and the reasons stored with them are kept. This can’t be undone.`,
  },
};
