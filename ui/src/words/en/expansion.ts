/** Expanding a plan: the verb in the bar, and the dialog with the suggested changes. */
import { count } from "./count";

export const expansion = {
  verb: "Expand…",
  consequence: "Suggests what’s missing; you pick what to add",
  readOnly: "This plan is read-only",

  dialog: {
    title: "Expand the plan",
    cancel: "Cancel",
    close: "Close",
    stop: "Stop",
    expanded: (changes: number) => `Expanded: ${count(changes, "change")}`,
    outdated:
      "The plan has changed since this was opened. These suggestions are for an earlier revision.",
    refresh: "Refresh",
    errorTitle: "Couldn’t expand the plan",
    emptyTitle: "Nothing to expand",
    previewErrorTitle: "Couldn’t preview these changes",
    allLines: "All changed lines",
  },

  /** Why the button that adds the changes is disabled. */
  blocked: {
    outdated: "The plan has changed. Refresh first.",
    waiting: "Waiting for suggestions.",
    empty: "Nothing to add.",
    noneSelected: "Select a change.",
    noPreview: "Couldn’t preview these changes.",
  },

  /** The button that adds the changes. */
  add: {
    none: "Add changes",
    one: "Add this change",
    all: (n: number) => `Add all ${n} changes`,
    some: (n: number, all: number) => `Add ${n} of ${all} changes`,
  },

  working: {
    title: "Looking for what’s missing",
    hint: "This takes a few rounds and doesn’t change the plan. You can stop at any time.",
  },

  rounds: {
    summary: (n: number, rejected: number) =>
      `${count(n, "round")}${rejected > 0 ? `, ${rejected} rejected` : ""}`,
    score: (before: number, after: number, steps: number) =>
      `${before} → ${after}, ${count(steps, "step")}`,
    rejected: "rejected",
  },

  /** The plan's numbers before and after. */
  standing: {
    before: "Current",
    after: "With selected changes",
    announced: (badge: string, score: number, steps: number, risk: number) =>
      `With selected changes: ${badge} ${score}, ${count(steps, "step")}, risk ${risk}`,
    numbers: (steps: number, risk: number) => `${count(steps, "step")} · risk ${risk} of 100`,
    tooThin: "too thin",
  },

  changes: {
    label: "Changes",
    selected: (n: number, all: number) => `${n} of ${all} selected`,
    selectAll: "Select all",
    selectNone: "Deselect all",
    new: "new",
    resolves: "resolves",
    needs: (changes: string[]) => `needs ${changes.join(", ")}`,
    lineCount: (added: number, removed: number) => `${added} added, ${removed} removed`,
    lineCountOf: (title: string) => `lines of ${title}`,
    lines: (title: string) => `Changed lines of ${title}`,
  },
};
