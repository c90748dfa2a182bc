/** The History view: the entries, the comparison of two revisions, and restoring one. */
import { count } from "./count";

export const history = {
  loading: "Loading history",
  loadFailed: "Couldn’t load the history",
  emptyTitle: "No revisions yet",
  emptyHint: "The first edit to this plan, here or in another program, adds one.",
  heading: (plan: string) => `History of ${plan}`,

  /** Titles of entries without a reason, by author. */
  entryTitles: {
    person: "Your edit",
    model: "Proposal",
    app: "Planwright",
    outside: "External edit",
  } as Record<string, string>,
  authors: {
    person: "you",
    model: "a model",
    app: "Planwright",
    outside: "another program",
  } as Record<string, string>,

  entries: {
    list: "Revisions, newest first",
    more: "Older revisions",
    summary: (author: string, changes: string) => `${author} · ${changes}`,
    firstRevision: "first revision",
    noStepsChanged: "no steps changed",
    /** Shown before the path from which the plan was moved. */
    movedFrom: "moved from",
    current: "current",
    approved: "approved",
    marked: "marked",
  },

  time: {
    now: "now",
    minutesAgo: (n: number) => `${n} min ago`,
    hoursAgo: (n: number) => `${n} h ago`,
    yesterday: "yesterday",
    daysAgo: (n: number) => `${n} days ago`,
  },

  /** The name of a revision in a sentence. */
  revision: {
    entry: (title: string, when: string) => `“${title}” (${when})`,
    unlisted: (id: string) => `revision ${id}`,
  },

  comparison: {
    label: "Comparison",
    as: "Compare as",
    steps: "Steps",
    text: "Text",
    withCurrent: "Compare with current",
    withCurrentHint: (keys: string) => `What has changed since this revision (${keys})`,
    restoreThis: "Restore this revision…",
    restorePrevious: "Restore the previous revision…",
    restoreHint: (keys: string) => `Restore this text as a new history entry (${keys})`,
    willRestore: (revision: string) =>
      `Restoring adds ${revision} as a new history entry; nothing is lost.`,
    nothingToRestore: "This is the current text, and no earlier revision is known.",
    readOnly: "This plan is read-only, so nothing can be restored.",
    anyTwo: (keys: string) =>
      `To compare any two revisions, Shift-click the other one, or mark this one (${keys}) and select another.`,
    loading: "Comparing",
    failed: "Couldn’t compare the revisions",
    same: "No differences",
    sameRevision: "Both revisions have the same text.",
    sameLines: "No lines differ.",
    lines: "Changed lines",
    linesCut: "Not all changed lines are shown. Compare as steps to see what changed in each.",
    noStepsChanged: "No steps changed, only the text around them.",
    showText: "Show text",
  },

  pickers: {
    from: "Compare from",
    to: "Compare to",
    arrow: "to",
    current: "Current",
    nothing: "Nothing",
    swap: "Swap sides",
  },

  changes: {
    steps: "Changed steps",
    moreSteps: (n: number) => `${count(n, "more step")} changed`,
    around: "Changes outside the steps",
    changed: "changed",
    unchanged: "unchanged",
    unchangedSteps: (n: number) => count(n, "step"),
    showInOutline: (task: string) => `Show ${task} in the outline`,
    kinds: {
      added: "added",
      removed: "removed",
      reworded: "reworded",
      moved: "moved",
      done: "done",
      reopened: "reopened",
      skipped: "skipped",
      changed: "changed",
    } as Record<string, string>,
    parts: {
      title: "Title",
      text: "Text",
      intro: "Introduction",
      goal: "Goal",
      requirements: "Requirements",
      decisions: "Decisions",
    } as Record<string, string>,
    /** Read aloud around inserted and deleted words. */
    added: "added:",
    endAdded: "end of addition.",
    removed: "removed:",
    endRemoved: "end of removal.",
  },

  restoreDialog: {
    title: (revision: string) => `Restore ${revision}?`,
    titleUnknown: "Restore this revision?",
    confirm: "Restore",
    message:
      "Replaces the plan’s text with this revision, as a new history entry. The current text stays in the history.",
    alreadyCurrent: "The plan already has this text.",
    comparing: "Comparing…",
    changedMeanwhile:
      "The plan has changed, so nothing was written. Below is what restoring would change now.",
    as: "Show changes as",
    changes: "Changes",
    restored: (revision: string) => `Restored ${revision}`,
    unchanged: "The plan already has this text",
  },

  actions: {
    older: "Select older revision",
    newer: "Select newer revision",
    mark: "Mark revision for comparison",
    compareCurrent: "Compare revision with current",
    comparePrevious: "Compare revision with previous",
    swap: "Swap sides of the comparison",
    toggleView: "Compare as steps or as text",
    restore: "Restore a revision…",
    more: "Load older revisions",
    undo: "Undo",
    redo: "Redo",
  },
};
