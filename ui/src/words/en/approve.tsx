/** English strings of `approve`: the approval dialogs and their verbs in the bar. */
import type { ReactNode } from "react";
import { count } from "./count";

/** A choice with a line that explains it. */
type Choices = Record<string, { title: string; line: string }>;

/** Titles of the approval dialog, by what is approved. */
const titles = {
  run: "Approve and run",
  save: "Approve without running",
  notes: "Approve with notes",
};

/** Planning strategies of a run, by id. */
const strategies: Choices = {
  upfront: { title: "Upfront", line: "Only the approved steps." },
  iterative: {
    title: "Iterative",
    line: "After each step, the model adds the next ones to the plan.",
  },
  hybrid: {
    title: "Hybrid",
    line: "Each step is split into smaller ones just before it runs.",
  },
};

/** Origins of the planning strategy, by id. */
const strategySources: Record<string, string> = {
  plan: "from the plan",
  profile: "from the model’s profile",
  settings: "from your settings",
};

/** Amounts of context for the model, by id. */
const contexts: Choices = {
  minimal: { title: "Minimal", line: "Results of earlier steps and pinned notes." },
  relevant: {
    title: "Relevant",
    line: "Also the files the step names, and related facts.",
  },
  full: { title: "Full", line: "Everything known that fits the model’s context window." },
};

/** Headings of refused approvals, by error code. */
const refusals: Record<string, string> = {
  not_covered: "The plan changed while you were reviewing it. Nothing was approved or run.",
  not_runnable: "This plan can’t run as it is. Nothing was approved.",
  plan_is_running:
    "This plan is already running. Nothing was approved; wait for the run or cancel it.",
  usage: "The approval is incomplete. Nothing was approved.",
};

const itOrThem = (n: number) => (n === 1 ? "it" : "them");

export const approve = {
  titles,
  strategies,
  strategySources,
  contexts,
  refusals,

  verbs: {
    run: "Approve and run…",
    runConsequence: "Shows what will run, then runs exactly this revision",
    save: "Approve without running…",
    saveConsequence: "Approves this revision; you can run it later",
    notes: "Approve with notes…",
    notesConsequence: "Adds your notes under the steps and approves the resulting plan",
    here: "Approve up to here…",
    hereConsequence: "Runs the steps up to the selected one and stops there",
    toStep: (step: string) => `Approve up to ${step}…`,
    toStepConsequence: (step: string) => `Runs the steps up to ${step} and stops there`,
    request: "Request changes…",
    requestConsequence: "Sends your feedback to the model for a new revision; nothing runs",
    requestWithoutModelConsequence:
      "Keeps your comments and marks the plan as “changes requested”; nothing runs",
    running: "This plan is already running",
    noStepSelected: "Select a step in the outline first",
  },

  /** Strings used while another agent waits for the decision. */
  agent: {
    strip: (agent: string) => `${agent} is waiting for your decision on this plan.`,
    approve: (agent: string) => `Approve for ${agent}…`,
    approveConsequence: (agent: string) => `Tells ${agent}, which then carries out this revision`,
    notesConsequence: (agent: string) =>
      `Adds your notes under the steps; ${agent} carries out the resulting plan`,
    requestConsequence: (agent: string) =>
      `Sends your feedback to ${agent} for a new revision; nothing runs`,
    runHere: "Approve and run here…",
    runHereConsequence: (agent: string) =>
      `Planwright runs exactly this revision and tells ${agent} not to`,
    title: (agent: string) => `Approve for ${agent}`,
    notesTitle: (agent: string) => `Approve with notes for ${agent}`,
    runHereTitle: "Approve and run here",
    carriesOut: (agent: string) =>
      `${agent} carries out the plan itself, outside Planwright’s sandbox. Planwright runs nothing.`,
    isTakenOver: (agent: string) => `Planwright carries out the plan and tells ${agent} not to.`,
    isGone: (agent: string) =>
      `${agent} is no longer waiting. You can still approve the plan, but no agent is waiting for it.`,
    getsRequest: (agent: string) =>
      `${agent} gets your feedback and your edits, and can propose a new revision.`,
    toldTitle: (agent: string) => `Approved for ${agent}`,
    told: (agent: string, revision: string) =>
      `Planwright told ${agent} to carry out revision ${revision}.`,
    toldOfRun: (agent: string) => `Planwright told ${agent} not to carry it out.`,
    toldOfRequest: (agent: string) => `${agent} has your feedback.`,
    toldNobody: (agent: string) => `${agent} had stopped waiting and got no answer.`,
    unnamed: "The agent",
  },

  dialog: {
    titleToStep: (step: string) => `Approve up to ${step}`,
    titleToHere: "Approve up to here",
    untitled: "Untitled plan",
    revision: "revision",
    changedTitle: "The plan changed while this was open.",
    changed: (shown: ReactNode, current: ReactNode): ReactNode => (
      <>
        This is revision {shown}; the plan is now {current}. Read the new revision before you
        approve it.
      </>
    ),
    readNew: "Read the new revision",
    loadFailed: "Couldn’t load the steps",
    loading: "Loading steps",
    notRunnable: "This plan can’t run as it is.",
    runNow: "Run now",
    sandbox: (sandbox: string) => `Sandbox: ${sandbox}`,
    cancel: "Cancel",
    approve: "Approve",
    approveAndRun: "Approve and run",
    approveToStepAndRun: (step: string) => `Approve up to ${step} and run`,
    approvedAndStarted: "Approved; the run has started",
    saved: "Approved without running",
    savedRevision: (revision: string) => `Revision ${revision}`,
    refused: "Nothing was approved.",
  },

  /** Why the confirm button is disabled. */
  blocked: {
    outdated: "This revision is outdated. Read the new one first.",
    loading: "Loading steps.",
    reloading: "Reloading the steps.",
    stale: "Couldn’t reload the steps.",
    running: "This plan is already running.",
    noReason: "Enter a reason.",
    unsentComments: "Choose what to do with the unsent comments.",
    noNotes: "Write a note and preview it.",
    noBranch: "Enter a branch name.",
  },

  steps: {
    willRun: (n: number) => `${count(n, "STEP", "STEPS")} WILL RUN`,
    cannotRun: (n: number) => `${count(n, "STEP", "STEPS")} CANNOT RUN`,
    notRunNow: (n: number) => `${count(n, "STEP", "STEPS")} TO APPROVE`,
    none: "No open steps.",
    label: "Steps in this approval",
    handedOver: "Handed off to this command from your settings",
    byAgent: "Carried out by the agent that proposed the plan",
    yours: "yours",
    more: (n: number) => `${count(n, "more step")} included; see the outline.`,
    skipped: (n: number) => `${count(n, "step")} won’t run`,
    andMore: (n: number) => `and ${n} more`,
    blocked: (n: number) => `${count(n, "step")} blocked`,
  },

  reason: {
    title: (badge: string, score: number) => `${badge} · ${score}: approval requires a reason`,
    deductions: "Deductions:",
    improve: "How to improve it:",
    expand: "Expand…",
    showFindings: "Show findings",
    label: "Reason for override",
    planHint:
      "Required. Saved with the approval, shown on the receipt, and counted as an override in Insights.",
    stepsHint: "Required to run blocked steps. Shown on the receipt.",
  },

  notes: {
    heading: "NOTES",
    loading: "Loading comments",
    commentsElsewhere: (n: number) =>
      n === 1
        ? "1 comment isn’t on a step in this approval; it stays unsent."
        : `${n} comments aren’t on steps in this approval; they stay unsent.`,
    preview: "Preview the plan",
    previewHeading: (revision: string) => `PLAN WITH NOTES · REVISION ${revision}`,
    addedLines: "Lines added by the notes",
    /** The text of a comment with a quote when it becomes a note in the plan. */
    replacing: (quote: string, text: string) => `instead of “${quote}”: ${text}`,
    about: (quote: string, text: string) => `“${quote}”: ${text}`,
  },

  request: {
    title: "Request changes",
    intro: (revision: ReactNode): ReactNode => (
      <>Marks revision {revision} as “changes requested”. Nothing is approved and nothing runs.</>
    ),
    withModel: "The model gets the comments and proposes a new revision.",
    withWriter: (agent: string) =>
      `${agent} gets the plan with the comments and writes a new revision. The rest of the workspace is read-only for it.`,
    withNobody: "Nobody gets the comments. They stay with the plan.",
    writerIsGone: (agent: string) =>
      `${agent}, which wrote this plan, wasn’t found on this machine.`,
    /** Who revises the plan. */
    reviser: "Revised by",
    writer: (agent: string) => `${agent}, which wrote it`,
    model: "The model",
    nobody: "Nobody; only save the request",
    alreadyRevising: (agent: string) =>
      `${agent} is still revising this plan. Wait for it to finish, or cancel it above the plan.`,
    loadingAgents: "Looking for the agent that wrote this plan.",
    withoutModel:
      "No model is set up. Comments stay with the plan for you or a model you add later.",
    label: "What should change?",
    hint: "Applies to the whole plan. Comments on steps are sent too.",
    empty: "Describe the change, or comment on a step first.",
    loadFailed: "Couldn’t load the comments",
    comments: (n: number) => `${count(n, "COMMENT", "COMMENTS")} INCLUDED`,
    cancel: "Cancel",
    confirm: "Request changes",
    requested: "Changes requested",
    nothingRuns: "Nothing runs.",
  },

  /** A revision by the agent that wrote the plan. */
  revision: {
    label: (agent: string) => `Revision by ${agent}`,
    started: (agent: string) => `${agent} is revising the plan. You can keep working.`,
    doneTitle: (agent: string) => `${agent} revised the plan`,
    done: "Read the new revision before you approve it.",
    open: "Open",
    failedTitle: (agent: string) => `${agent} didn’t revise the plan.`,
    cancelledTitle: (agent: string) => `The revision by ${agent} was cancelled.`,
    isSaved: "Your request is saved.",
    again: "Send again…",
    dismiss: "Dismiss",
  },

  /** Changes since the last approval, and the run that a new one closes. */
  since: {
    openRun: "This plan has an open run",
    openRunState: (state: string, done: number, total: number) =>
      `${state}, ${done}/${total} steps. A new run closes it; finished steps that didn’t change stay done.`,
    heading: "CHANGED SINCE THE LAST APPROVAL",
    more: (n: number) => count(n, "more step"),
    lines: (revision: ReactNode): ReactNode => <>Lines changed since revision {revision}</>,
    linesLabel: "Lines changed since the last approval",
  },

  effort: {
    heading: "Run options",
    noModel: "no model: steps without tool calls are yours",
    executor: (name: string, line: string) => `${name}: ${line}`,
    ahead: (n: number) => `${count(n, "step")} ahead`,
    parallel: (n: number) => `${count(n, "step")} at once`,
    requests: (n: number) => `at most ${count(n, "request")}`,
    strategy: "Planning strategy",
    context: "Context for each step",
    /** The title of the default choice, with its origin. */
    preset: (title: string, source: string) => `${title}, ${source}`,
    defaultSource: "default",
    settingsSource: "from your settings",
    stepsAhead: "Steps to plan ahead",
    newSteps: "New step limit",
    requestLimit: "Request limit",
    tokenLimit: "Token limit",
    minuteLimit: "Time limit (min)",
  },

  executor: {
    label: "Executor",
    hint: "For steps without tool calls.",
    profile: (parts: string[]) => `Profile: ${parts.join(" · ")}`,
    noModel: "No model",
    you: "You",
    waits: "Steps without tool calls wait for you.",
    command: (line: ReactNode, limits: string): ReactNode => (
      <>
        Runs {line} with the step’s brief, {limits}. The step’s check decides whether it succeeded,
        not the command’s report.
      </>
    ),
  },

  policy: {
    label: "Ask for approval",
  },

  parallel: {
    label: "Parallel steps",
    one: "One step at a time.",
    several:
      "Independent steps that name different files run at the same time, and can write only to those files. Steps that name no files, and all checks, run alone.",
  },

  branch: {
    uncommitted: (n: number) => count(n, "uncommitted file"),
    uncommittedHint:
      "Your changes are kept. The run’s changes are tracked separately; nothing is committed.",
    andMore: (n: number) => `and ${n} more`,
    create: "Work on a new branch",
    createInstead: (current: ReactNode): ReactNode => (
      <>Work on a new branch instead of {current}</>
    ),
    name: "Branch name",
    missing: "Enter a branch name.",
  },

  unsent: {
    label: "Unsent comments",
    title: (n: number) => count(n, "unsent comment"),
    addAsNotes: (n: number) => `Add ${itOrThem(n)} to the plan as notes…`,
    request: "Request changes instead…",
    leave: (n: number) => `Approve without sending ${itOrThem(n)}`,
  },

  running: {
    title: "This plan is already running.",
    hint: "Wait for the run to finish, or cancel it.",
    show: "Show run",
  },
};
