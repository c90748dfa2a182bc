/** English strings of `run`: the Run panel, the run's verbs in the bar, and the list of steps. The cards are in `runCards`. */
import { count } from "./count";

const number = new Intl.NumberFormat("en");

/** States of a run, by the backend's names. */
const states: Record<string, string> = {
  running: "Running",
  waiting: "Waiting on you",
  paused: "Paused",
  failed: "A step failed",
  interrupted: "Interrupted",
  stopped: "Stopped",
  discarded: "Discarded",
  not_covered: "Not covered by the approval",
  done: "Done",
  unverified: "Finished, some unverified",
  incomplete: "Finished, incomplete",
};

/** States of a step in a run, by the backend's names. */
const stepStates: Record<string, string> = {
  ready: "not started",
  running: "running",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  waiting: "waiting on you",
  interrupted: "outcome unknown",
  undone: "undone",
  refused: "refused",
  unverified: "unverified",
};

/** Approval policies, by name. */
const policies: Record<string, { title: string; line: string }> = {
  each: {
    title: "Ask before each step",
    line: "Read-only steps start right away; all others need your approval.",
  },
  risky: {
    title: "Ask before risky steps",
    line: "Steps that delete files or run commands other than checks need your approval.",
  },
  all: {
    title: "Run approved steps without asking",
    line: "Checkpoints, decisions, your own steps and anything not approved still ask.",
  },
};

/** The effect of Resume, by the run's state. */
const resumeConsequences: Record<string, string> = {
  interrupted: "Checks interrupted steps, asks about unknown outcomes, then continues",
  waiting: "Rereads the plan and asks any remaining questions",
  failed: "Asks what to do about the failed step, then continues",
  not_covered: "Continues if the plan matches the approval again",
  unverified: "Asks about the unverified steps",
  incomplete: "Asks about skipped steps, then rechecks coverage",
};

/** Kinds of context items. */
const contextKinds: Record<string, string> = {
  summary: "Result",
  note: "Note",
  file: "File",
  missing: "Missing",
  fact: "Fact",
};

/** Labels of the button that shows an action's output, by the action's kind. */
const outputButtons: Record<string, string> = {
  recovered: "Instructions",
  rejected: "Message to the model",
  faulted: "Message to the model",
};

export const run = {
  states,
  stepStates,
  policies,

  panel: {
    errorTitle: "Couldn’t load the run",
    showLatest: "Show latest run",
    loading: "Loading run",
    emptyTitle: "No runs yet",
    emptyText: "Approve the plan to run it. Each step’s actions, output and questions appear here.",
    approveAndRun: "Approve and run…",
    isElsewhere: "This run is in another window or terminal. Answer there.",
    approvedRevision: "Approved revision",
    upTo: (task: string) => `up to ${task}`,
    otherRuns: "OTHER RUNS",
    waitingCount: (n: number) => `${n} waiting on you`,
  },

  brief: {
    handOff: (task: string) => `Hand off ${task} with a self-contained brief.`,
    copy: "Copy as brief",
    copyAction: "Copy step as brief",
    copied: (task: string) => `Brief for ${task} copied`,
    errorTitle: "Couldn’t create the brief",
  },

  clipboard: {
    errorTitle: "Couldn’t copy to the clipboard",
    errorMessage: "Select the text and copy it manually.",
  },

  banner: {
    resume: "Resume",
    receipt: "Receipt",
    changes: "Changes",
    isEarlierRun: "This is an earlier run.",
    isElsewhere:
      "This run is in another window or terminal. You can watch it here. Answer there, or close that one to answer here.",
  },

  head: {
    step: (n: number, total: number, isOpenEnded: boolean, task: string) =>
      `Step ${n}/${isOpenEnded ? "~" : ""}${total} · ${task}`,
    progress: (done: number, skipped: number, total: number, state: string) =>
      `${done}/${count(total, "step")}${skipped > 0 ? `, ${skipped} skipped` : ""} · ${state}`,
    activeTime: (time: string) => `${time} active`,
    tokens: (n: number) => count(n, "token"),
    progressLabel: "Run progress",
    progressValue: (done: number, skipped: number, total: number) =>
      `${done} of ${count(total, "step")} done${skipped > 0 ? `, ${skipped} skipped` : ""}`,
    parallelSteps: "Other steps running",
    /** Announced once by screen readers, without the seconds. */
    quiet: "No output for a while.",
    noOutputFor: (seconds: number) => `No output for ${seconds} s.`,
    quietAdvice: "It may still be working. Pause stops after this step, Cancel stops now.",
    stepsWithoutCalls: "Steps without tool calls go to",
    stepsWithoutCallsGoTo: (executor: string) => `steps without tool calls go to ${executor}`,
    lookAhead: (strategy: string, n: number) => `${strategy}, ${count(n, "step")} ahead`,
    openModelProfile: ": open its profile in Settings",
    addedByRun: (n: number) => `${count(n, "step")} added by this run`,
  },

  verbs: {
    approveConsequence: (task: string) =>
      `Starts ${task}; its card shows what it may change and run`,
    answerQuestion: "Answer the question",
    answerTask: (task: string) => `Answer ${task}`,
    answerConsequence: (question: string) => `Shows the question: ${question}`,
    goToWaiting: "Go to what’s waiting on you",
    changeApproach: (task: string) => `Change approach for ${task}…`,
    changeApproachConsequence:
      "Shows options such as retrying, new instructions or splitting the step",
    isElsewhere: "This run is in another window or terminal",
    sending: "Sending…",
    pause: "Pause",
    pauseConsequence: "Finishes the current step, then stops",
    undoStep: "Undo step",
    undo: (task: string) => `Undo ${task}…`,
    undoConsequence: (task: string) => `Restores the files that ${task} changed; asks first`,
    undoRun: "Undo the whole run…",
    resume: "Resume",
    resumeConsequences,
    resumeNextStep: "Continues with the next approved step",
    show: "Show run",
    showConsequence: "Opens the Run panel",
    cancel: "Cancel run…",
    cancelConsequence: "Stops the current command and the run; changes made so far are kept",
    receipt: "Receipt",
    receiptConsequence: "Shows what was done, with evidence",
  },

  cancelDialog: {
    title: "Cancel this run?",
    confirm: "Cancel run",
    keepRunning: "Keep running",
    consequence:
      "Stops the current command. Changes made so far are kept; you can undo them in Changes.",
  },

  steps: {
    title: "STEPS IN THIS RUN",
    activeTime: (time: string) => `${time} active`,
    filesChanged: (n: number) => `${count(n, "file")} changed`,
    errorTitle: "Couldn’t load the step",
  },

  step: {
    attempt: (n: number) => `Attempt ${n}.`,
    discoveredSoFar: "DISCOVERED SO FAR",
    discovered: "DISCOVERED",
    earlierFacts: (n: number) => `${count(n, "earlier fact")} not shown`,
    handedOffTo: "Handed off to",
    checkDecides: "The step’s check decides whether it’s done, not the agent.",
  },

  actions: {
    label: "Step activity",
    showEarlier: (n: number) => `Show ${n} earlier`,
    running: "running",
    failed: "failed",
    interrupted: "interrupted",
    flaky: "flaky: failed, then passed",
    recovered: "recovered after a crash",
    hide: "Hide",
    outputButtons,
    output: "Output",
    /** Follows the button's title for screen readers. */
    ofAction: (title: string) => `of ${title}`,
    hideOutput: (output: string, title: string) => `${output.toLowerCase()} of ${title}`,
    outputLabel: (title: string) => `Output of ${title}`,
  },

  output: {
    label: "Live output",
    title: "OUTPUT",
    heldTitle: "OUTPUT · HELD",
    hold: "Hold",
    follow: "Follow",
    copy: "Copy",
    copied: "Output copied",
    commandLabel: "Output of the running command",
  },

  model: {
    turns: (n: number) => count(n, "model turn"),
    tokens: (input: number, output: number) =>
      `${number.format(input)} tokens in, ${number.format(output)} out`,
    tokensWithCached: (input: number, cached: number, output: number) =>
      `${number.format(input)} tokens in (${number.format(cached)} cached), ${number.format(output)} out`,
    waitingTime: (time: string) => `${time} waiting`,
    replyLabel: "Model reply",
    request: (n: number) => `Request ${n}`,
    attempt: (n: number) => `, attempt ${n}`,
    waiting: "waiting for a reply",
    thinking: "Thinking:",
    writingCall: "… writing a tool call",
    report: "Model report",
    record: "Record",
    inferred: "inferred",
    inferredTooltip: "The model gave no report. This one is based on what it did.",
    done: "done",
    notDone: "not done",
    noSummary: "No summary.",
    learned: "Learned",
    decided: "Decided",
    nextStep: "Suggested next step",
  },

  context: {
    title: "Context sent to the model",
    size: (items: number, used: number, budget: number) =>
      `${count(items, "item")} · ${number.format(used)} of ${number.format(budget)} tokens`,
    empty: "Nothing from the workspace: the step names no file and there are no facts yet.",
    leftOut: (n: number) =>
      `${count(n, "more item")} left out: irrelevant to this step, or over the token budget.`,
    kinds: contextKinds,
    tokensTooltip: "Tokens",
    tokens: (n: number) => number.format(n),
  },
};
