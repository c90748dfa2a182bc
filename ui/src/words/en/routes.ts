/** Planning: efforts with their estimates, progress while planning, and the route of a finished plan. */
import { count } from "./count";

export const routes = {
  why: "Why this route",
  whyAction: "Why this route: show how the plan was made",
  attempts: "Attempts",
  weakPlan: "Weak plan",
  fallback: "Fallback",

  efforts: {
    auto: { title: "Auto", line: "Start cheap, escalate if needed." },
    quick: { title: "Quick", line: "Cheapest methods only." },
    thorough: { title: "Thorough", line: "Most thorough first: slower, more complete plans." },
  },

  effort: {
    label: "Effort",
    chosen: (effort: string) => `Effort: ${effort}`,
    ofNextPlan: (effort: string) => `Effort: ${effort}, for the next plan`,
    ofNextPlanTooltip: "Effort for the next plan",
    changed: (effort: string) => `Effort for the next plan: ${effort}`,
    triedFirst: "Tried first:",
    thenTried: "then",
    estimateError: (error: string) => `Couldn’t estimate: ${error}`,
    estimated: "Rough estimates until more similar plans have been made here.",
    measured: "Based on similar plans made here.",
  },

  /** The estimate of an effort: `about 14 s, 3 requests, 4,200 tokens · 8 of 10 accepted`. */
  forecast: {
    estimated: (cost: string) => `estimated: ${cost}`,
    accepted: (cost: string, accepted: number, judged: number) =>
      `${cost} · ${accepted} of ${judged} accepted`,
    noRequests: "no requests",
    requests: (n: number) => count(n, "request"),
    tokens: (n: number) => count(n, "token"),
  },

  time: {
    underTenth: "under 0.1 s",
    seconds: (seconds: string) => `${seconds} s`,
    minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
    aboutSeconds: (seconds: string) => `about ${seconds} s`,
    aboutMinutes: (minutes: number) => `about ${minutes} min`,
  },

  /** Descriptions of what “Make a plan” will do, in one sentence. */
  outlook: {
    rulesThenModel: (model: string) => `Uses templates and rules first, then ${model}.`,
    rulesOnly: "Uses templates and rules only.",
    oneRequest: (model: string, fallback: string) =>
      `${model} writes the plan in one request${fallback}.`,
    drafts: (model: string, fallback: string) =>
      `${model} drafts the plan and looks for gaps${fallback}.`,
    writes: (solver: string, fallback: string) => `${solver} writes the plan${fallback}.`,
    rulesAsFallback: ", with templates and rules as a fallback",
  },

  /** What plugins do, by kind. */
  kinds: {
    detector: "Reads the goal",
    kb: "Gathers context",
    solver: "Writes the plan",
    planner: "Picks the plugins",
  } as Record<string, string>,

  /** Results of attempts. */
  statuses: {
    running: "running",
    success: "done",
    weak: "insufficient",
    failed: "failed",
    skipped: "skipped",
  } as Record<string, string>,

  step: {
    thenBy: "then by",
    unreadable: (answers: number) => count(answers, "unreadable answer"),
  },

  progress: {
    label: "Planning",
    cancelAction: "Cancel planning",
    cancel: "Cancel",
    enough: "Use best plan so far",
    starting: "Starting",
    cancelling: "Cancelling",
    usingBest: "Using the best plan so far",
    filesRead: (n: number) => `${count(n, "file")} read`,
    received: (n: number) => `${count(n, "character")} received`,
  },

  /** The line above a plan that was made here. */
  line: {
    writtenBy: "Written by",
    inConversation: "in a conversation",
    byRules: "templates and rules",
    theModel: "the model",
    requestsAndTime: (requests: number, time: string) => `${count(requests, "request")}, ${time}`,
  },

  dialog: {
    close: "Close",
    errorTitle: "Couldn’t load the route",
    loading: "Loading route",
    emptyTitle: "No route recorded",
    emptyHint:
      "This plan wasn’t made here from a goal, or it was made before routes were recorded.",
    /** Facts shown after the plugin that wrote the plan. */
    facts: (facts: {
      model: string | null;
      when: string;
      effort: string;
      time: string;
      requests: string;
      tokens: string | null;
    }) =>
      `${facts.model ? ` with ${facts.model}` : ""}, ${facts.when}. Effort: ${facts.effort}. ${[facts.time, facts.requests, facts.tokens].filter(Boolean).join(", ")}.`,
    reasons: "Reasons",
    noReasons: "The usual order applies: cheapest first.",
    noAttempts: "No attempts recorded.",
    order: "Order and scores",
    noOrder: "No order recorded.",
    unusedPlanner: "not used for this plan",
    pinned: "pinned",
    orderOf: (kind: string) => `Order: ${kind}`,
    noCandidates: "No plugin was available.",
    used: "used",
    score: "score",
    factor: "Factor",
    adds: "Points",
    why: "Why",
    noFactors: "No scoring factors.",
    read: "What was read",
    nothingRead: "Nothing in the folder was read.",
    enough: "enough",
    notEnough: "not enough",
    readFacts: (files: number, bytes: string, time: string) =>
      `${count(files, "file")} scanned, ${bytes} of text read, ${time}`,
    leftOut: (parts: string[]) => `Left out: ${parts.join("; ")}`,
    nothingLeftOut: "Nothing was left out.",
    offered: (files: number) => `${count(files, "file")} selected`,
    known: (facts: number) => `${count(facts, "fact")} from earlier runs`,
  },

  anyRequest: "any request",
};
