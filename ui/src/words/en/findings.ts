/** The findings panel and the findings in a step's card: score, filter, rows, and the dialogs to fix and mute. */
import { count } from "./count";

export const findings = {
  label: "Findings",
  ofStep: (step: string) => `Findings on ${step}`,
  count: (n: number) => count(n, "finding"),
  loading: "Loading findings",
  errorTitle: "Couldn’t load the findings",
  emptyTitle: "No open findings",
  emptyHint: "No issues found. Still review the plan.",
  allMuted: "All findings are muted.",
  noMatches: "No findings match the filter",
  more: (n: number) => `${n} more. Fix these to see them.`,
  mutedCount: (n: number) => `${n} muted`,
  muted: "Muted findings",
  expandThin: "Expand thin parts…",
  expandTooltip: (keys: string) => `Preview every change before it is made (${keys})`,

  score: {
    label: "Score breakdown",
    dimensions: {
      coverage: "Coverage",
      substance: "Substance",
      checks: "Checks",
      order: "Order",
    } as Record<string, string>,
    unknown: "unknown",
    biggestGain: (points: number) => `Biggest gain, ${count(points, "point")}:`,
    why: (score: number) => `Why ${score}?`,
    deductions: "Deductions",
    deduction: (points: number) => `−${points}%`,
    multiplied: "The four scores are multiplied, so a high one can’t make up for a zero.",
  },

  /** A finding's severity, and the heading of its group. */
  severities: {
    critical: "Critical",
    major: "Major",
    minor: "Minor",
    info: "Info",
  } as Record<string, string>,

  /** The ways to group findings. */
  groupings: {
    severity: "Severity",
    task: "Step",
    code: "Kind",
  },
  wholePlan: "Whole plan",

  filter: {
    label: "Filter findings",
    groupBy: "Group findings by",
    by: "By",
    step: "Filter findings by step",
    allSteps: "All steps",
    text: "Filter findings by text",
    placeholder: "Filter",
    severity: "Severity",
    shown: (shown: number, all: number) => `${shown} of ${all} shown`,
    clear: "Show all findings",
  },

  row: {
    question: "How to resolve it",
    muted: "Muted:",
    fixes: (kind: string) => `Fixes: ${kind}`,
    recommended: "recommended",
    fix: "Fix",
    fixLabel: (fix: string) => `Fix: ${fix}`,
    preview: (fix: string) => `Preview: ${fix}`,
    previewAll: (finding: string) => `Preview the fixes: ${finding}`,
    previewTooltip: "Preview the change (Shift+F)",
    openLabel: (finding: string) => `Open in your editor: ${finding}`,
    openTooltip: "Open the line in your editor (o)",
    mute: (finding: string) => `Mute with a reason: ${finding}`,
    muteTooltip: "Mute with a reason (m)",
    unmute: "Unmute",
    unmuteLabel: (finding: string) => `Unmute: ${finding}`,
  },

  actions: {
    next: "Go to next finding",
    previous: "Go to previous finding",
    show: "Show the finding’s step or line",
    fix: "Fix finding",
    preview: "Preview fix…",
    mute: "Mute or unmute finding…",
    open: "Open the finding’s line in your editor",
  },

  fixDialog: {
    title: "Fix",
    confirm: "Apply",
    waiting: "Waiting for the preview",
    choose: "Choose a fix",
    recommended: (fix: string) => `${fix} (recommended)`,
    errorTitle: "Couldn’t preview the fix",
    loading: "Loading preview",
    diff: "Changed lines",
    applied: (fix: string) => `Applied: ${fix}`,
  },

  muteDialog: {
    title: "Mute this finding",
    confirm: "Mute",
    reasonMissing: "Enter a reason.",
    reason: "Reason",
    savedAs: (step: string | null) =>
      step
        ? `The reason is saved in the plan under ${step}, as`
        : "The reason is saved at the top of the plan, as",
    scoreStays: (badge: string, score: number) =>
      `and everyone who reads the plan can see it. The score doesn’t change: ${badge} · ${score}.`,
    muted: (finding: string) => `Muted: ${finding}`,
    unmuted: (finding: string) => `Unmuted: ${finding}`,
  },
};
