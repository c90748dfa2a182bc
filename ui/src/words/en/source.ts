/** The plan's source in a text editor: saving, conflicts, problems and their fixes, completion. */
import { count } from "./count";

export const source = {
  loadingPlan: "Loading plan",
  loading: "Loading source",
  loadFailed: "Couldn’t load the source",
  heading: (plan: string) => `Source of ${plan}`,
  unreadableHeading: "Source of an unreadable plan",

  copy: {
    verb: "Copy as Markdown",
    consequence: "Copies the plan’s text",
    copied: "Plan copied",
    failed: "Couldn’t read the plan",
  },

  editor: {
    label: "Plan source",
    hint: "Tab indents. To leave the editor by keyboard, press Escape, then Tab.",
    /** CodeMirror's own phrases. */
    phrases: {
      next: "Next",
      previous: "Previous",
      "match case": "Match case",
      regexp: "Regular expression",
      "by word": "Whole words",
      replace: "Replace",
      "replace all": "Replace all",
      close: "Close search",
      "Fold line": "Fold",
      "Unfold line": "Unfold",
      "folded code": "folded lines",
      unfold: "unfold",
    } as Record<string, string>,
  },

  /** Notices above the text: read-only, conflict, failed save, restored edits. */
  notices: {
    fileLabel: "About the file",
    readOnly: "This plan is read-only.",
    notWritable: "The file isn’t writable.",
    conflict: "Your edit conflicts with one on disk.",
    conflictHint: "Both edits changed the same lines. What you typed is kept, but not saved yet.",
    mine: "Mine",
    mineLabel: "Your lines",
    theirs: "Theirs (in the file)",
    theirsLabel: "The file’s lines",
    empty: "(empty)",
    keepMine: "Keep mine",
    keepTheirs: "Keep theirs",
    keepBoth: "Keep both",
    notSaved: "Not saved.",
    notSavedHint: "What you typed is kept.",
    retry: "Retry",
    discardEdits: "Discard edits",
    restored: "Unsaved edits restored.",
    restoredHint: "They’re in the editor below, but not in the file yet.",
    save: "Save",
  },

  status: {
    label: "Editor status",
    problems: (n: number) => count(n, "problem"),
    problemsHint: "Go to next problem (F8)",
    notChecked: (reason: string) => `not checked: ${reason}`,
    readOnly: "read-only",
    saving: "saving",
    conflict: "unsaved, conflict",
    unsaved: "unsaved",
    saved: "saved",
    find: "Find",
    foldSteps: "Fold all steps",
    unfoldSteps: "Unfold all steps",
  },

  toasts: {
    undoneAll: "Nothing left to undo here",
    undoneAllMessage: (edit: string, keys: string) =>
      `To undo the plan’s last edit (${edit}), press ${keys}.`,
    undo: "Undo edit",
    leftUnsaved: "Your edits weren’t saved",
    leftUnsavedMessage: (reason: string) =>
      `${reason} Your edits are kept; reopen the source to see them.`,
    leftConflict: "The same lines have changed in the file.",
    fixFailed: "Couldn’t apply the fix",
  },

  /** What the editor was doing when an internal error occurred. */
  faults: {
    saving: "Saving the source",
  },

  problems: {
    severities: {
      critical: "critical",
      major: "major",
      minor: "minor",
      info: "info",
    } as Record<string, string>,
    mute: "Mute with a reason…",
    textChanged: "The text has changed, so the fix wasn’t applied. Choose it again.",
    fixed: (fix: string, problem: string) => `Applied: ${fix}. Fixed: ${problem}`,
    none: "No problems in the text.",
    noneOnLine: "No problems on this line.",
    onLine: (line: number, messages: string) => `Line ${line}: ${messages}`,
  },

  actions: {
    show: "Show step in source",
    save: "Save",
    find: "Find in source",
    nextProblem: "Go to next problem",
    previousProblem: "Go to previous problem",
    showProblems: "Show problems and fixes on this line",
    fold: "Fold all steps",
    unfold: "Unfold all steps",
    undoPlanEdit: "Undo last plan edit",
    redoPlanEdit: "Redo last plan edit",
  },

  completion: {
    /** Keys of a step, in the order in which they are offered. */
    keys: {
      depends: "steps it depends on, or none; default: the previous step",
      files: "files it may change",
      covers: "requirements it covers",
      verify: "command that checks it",
      accept: "when it counts as done",
      type: "checkpoint or decision",
      by: "who does it: agent, person or either",
      call: "tool call, instead of a model",
      option: "choice: label -> T3, continue, review, stop",
      complexity: "1 to 10",
      why: "reason for the step",
      note: "note for the model",
      assume: "assumption made instead of asking",
      needs: "prerequisites",
      tools: "tools it may use",
      confirm: "no: notify without stopping",
      strategy: "upfront, iterative or hybrid",
      mute: "finding to mute, with a reason",
      origin: "where it comes from",
      skipped: "why it was skipped",
    },
    /** For keys with fixed values: each value and what it means. */
    values: {
      type: { checkpoint: "pause for your review", decision: "question with options" },
      by: {
        agent: "model or tool call",
        person: "you",
        either: "the agent if possible, otherwise you",
      },
      confirm: { yes: "stop and ask", no: "notify only" },
      strategy: {
        upfront: "only the planned steps",
        iterative: "the run adds the next steps",
        hybrid: "the run splits the steps of an outline",
      },
    } as Record<string, Record<string, string>>,
    effects: {
      continue: "continue the run",
      review: "show the changes first",
      stop: "end the run",
      skip: "skip a step: skip T4",
    },
    noDependency: "can start right away",
  },
};
