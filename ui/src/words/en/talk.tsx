/** English strings of `talk`: the conversation with a model. */
import type { ReactNode } from "react";
import { count } from "./count";

/** States of a call, by id; `done` has no text. */
const callStates: Record<string, string> = {
  running: "running",
  asked: "waiting on you",
  failed: "failed",
  refused: "not run",
  unknown: "outcome unknown",
};

/** States of a conversation in a list, by id. */
const states: Record<string, string> = {
  working: "model working",
  waiting: "waiting on you",
  interrupted: "interrupted",
};

/** Explanations of the modes, by id, shown as rows of the conversation. */
const modes: Record<string, string> = {
  plan: "Plan mode: only the plan can change.",
  exec: "Exec mode: your messages go to this plan’s run.",
};

/** Activities of the model, by phase. */
const phases: Record<string, string> = {
  preparing: "Reading the plan",
  asking: "Waiting for the model",
  answering: "Answering",
  calling: "Working",
  retrying: "Retrying",
  quiet: "Waiting for the model",
};

/** Parts of the next request, by id. */
const parts: Record<string, string> = {
  system: "Instructions",
  tools: "Tools",
  summary: "Summary of earlier messages",
  plan: "Plan and mode",
  person: "Your messages",
  model: "Model messages and tool calls",
  results: "Tool results",
  host: "Corrections",
};

/** Titles of errors that ended a turn, by id. */
const troubles: Record<string, string> = {
  unsaid: "Goal not sent yet",
  no_model: "No model is set up",
  key: "API key rejected",
  unknown_model: "Model not found on the server",
  unreachable: "The model’s server isn’t responding",
  endpoint: "Not a model endpoint",
  broken_off: "The reply was cut off",
  window: "The model’s context window is too small",
  limit: "Rate or credit limit reached",
  unfinished: "The model stopped too early",
  other: "The model couldn’t continue",
};

/** Hints about the state after an error, by id. */
const troubleHints: Record<string, string> = {
  unreachable: "Nothing was changed. You can read, edit, approve and run the plan without a model.",
  broken_off: "The partial reply was discarded.",
  unsaid: "Planwright closed before the goal was sent to the model.",
  unfinished: "No plan was proposed. Add what’s missing below.",
  other: "The conversation is saved.",
};

/** Review states of the plan, by id. */
const marks: Record<string, string> = {
  proposed: "Proposed, not approved yet",
  approved: "Approved",
  changes_requested: "Changes requested",
};

export const talk = {
  callStates,
  states,
  modes,
  phases,
  parts,
  troubles,
  troubleHints,
  marks,

  actions: {
    write: "Message the model",
    question: "Go to the model’s question",
    stop: "Stop the model",
    resume: "Resume the interrupted turn",
    retry: "Ask the model again",
    context: "Show context and token usage",
    answer: (option: string) => `Answer the model: ${option}`,
    toExec: "Switch to Exec mode",
    toPlan: "Switch to Plan mode",
  },

  panel: {
    loading: "Loading conversation",
    openFailed: "Couldn’t open the conversation",
    openComments: (n: number) => count(n, "open comment"),
    review: "Review",
    runElsewhere: "This run is in another window or terminal. Answer there.",
    noModel: "No model is set up",
    noModelHint:
      "No model is set up, so you won’t get replies here. Your comments stay with the plan, and are sent with “Request changes” or “Approve with notes”.",
    setUpModel: "Set up a model",
    modelFailed: "Couldn’t use the model.",
    openModels: "Open Settings → Models",
    start: "Ask about the plan, or describe a change. Only the plan changes.",
    waiting: "the model is waiting for your answer",
  },

  screen: {
    title: "Making a plan",
    opening: "Opening the conversation",
    toStart: "Back to start",
  },

  list: {
    heading: "CONVERSATIONS WITHOUT A PLAN",
    untitled: "Untitled conversation",
  },

  conversation: {
    label: "Conversation",
    loadFailed: "Couldn’t load the conversation",
    loadingRow: "Loading message",
    yourMessage: "You said",
    you: "You",
    toRun: "to the run",
    requestedChanges: (revision: ReactNode): ReactNode => <>requested changes to {revision}</>,
    approved: (revision: ReactNode): ReactNode => <>You approved {revision}.</>,
    runEnded: "The run ended.",
  },

  goal: {
    label: "Goal",
    requirements: "Requirements",
    fromGoal: "From your goal",
    noRequirements: "No requirements yet",
    edit: "Edit",
    /** The first message of a conversation: the goal with the requirements that the person edited. */
    message: (goal: string, requirements: string[]) =>
      `${goal}\n\nRequirements:\n${requirements.map((one) => `- ${one}`).join("\n")}`,
  },

  composer: {
    label: "Message the model",
    placeholder: "Ask for a change",
    planPlaceholder: "Ask for a change, or answer",
    execPlaceholder: "Message the running step",
    workingPlaceholder: "Keep typing; send when the model is done",
    permissionPlaceholder: "Deny and say what to do instead",
    questionPlaceholder: "Answer, or choose above",
    send: "Send",
    sendTooltip: "Send (Enter)",
    stop: "Stop",
    stopTooltip: "Stop (Esc)",
    notApproved:
      "This revision of the plan isn’t approved, so no run can take your message. Approve it, or switch to Plan mode to discuss it.",
    approve: "Approve and run…",
    toPlan: "Switch to Plan mode",
  },

  mode: {
    label: "Mode",
    current: (mode: string) => `Mode: ${mode}`,
    plan: "Plan",
    exec: "Exec",
    planTooltip: "Plan: only the plan can change.",
    execTooltip:
      "Exec: your messages go to this plan’s run. If none is open, a run of the approved revision starts.",
    withKeys: (tooltip: string, keys: string) => `${tooltip} (${keys})`,
    onlyPlan: "Plan: only the plan can change. “Approve and run” switches to Exec.",
    running: "Exec: a run of the approved plan is active.",
    runningInExec: "Exec: a run of the approved plan is active. Your messages go to it.",
    switchFailed: "Couldn’t switch the mode",
  },

  context: {
    label: "Context and usage",
    /** How full the context window is. */
    fill: (percent: number, window: string) => `${percent}% of ${window}`,
    used: (tokens: number) => `${count(tokens, "token")} used`,
    nextRequest: "NEXT REQUEST, ESTIMATED",
    total: (window: number) => `Total (of ${count(window, "token")})`,
    compaction:
      "When the context window is nearly full, older messages are summarized; the plan and your decisions stay.",
    usage: "USED SO FAR, AS REPORTED BY THE SERVER",
    input: "Input",
    cached: "Cached input",
    output: "Output",
    replies: (n: number) => `Total of ${count(n, "reply", "replies")}`,
  },

  reply: {
    label: "Model reply",
    thinking: "Thinking",
    starting: "Starting",
    stopping: "Stopping",
    /** A phase with its detail: the call, or why it is retried. */
    phase: (phase: string, detail: string) => `${phase}: ${detail}`,
  },

  call: {
    loadFailed: "Couldn’t load the call",
    loading: "Loading call",
    arguments: "ARGUMENTS",
    argumentsLabel: (call: string) => `Arguments of ${call}`,
    changes: "CHANGES",
    changesLabel: (call: string) => `Changes made by ${call}`,
    result: "RESULT SENT TO THE MODEL",
    resultLabel: (call: string) => `Result of ${call}`,
    isCut: "The middle is omitted here.",
  },

  otherChanges: {
    label: "Files changed",
    byOtherProgram: (files: ReactNode): ReactNode => <>Changed by another program: {files}</>,
    more: (n: number) => ` and ${count(n, "more file")}`,
    title: "A command changed files other than the plan",
    byCommand: (files: ReactNode, n: number): ReactNode => (
      <>
        In Plan mode only the plan can change. While the model ran a command, {files} changed. Check{" "}
        {n === 1 ? "it" : "them"} before you continue.
      </>
    ),
  },

  permission: {
    wantsCommand: "The model wants to run a command",
    wantsTool: (tool: string) => `The model wants to use ${tool}`,
    unanswered: "Not answered, so it wasn’t run.",
    shell: "Shell",
    noShell: "No shell",
    fullCommand: "Full command",
    fullPath: "Full path",
    long: (n: number) => `${count(n, "character")}: read to the end before you allow it.`,
    once: "Allow once",
    conversation: "Allow in this conversation",
    conversationTooltip: "Don’t ask about the same request again in this conversation",
    instead: "What to do instead (optional)",
  },

  proposal: {
    plan: "Plan",
    notApproved: "Not approved yet",
    steps: (n: number) => count(n, "step"),
    findings: (n: number) => count(n, "finding"),
    name: (number: number) => `Proposal ${number}`,
    nameAtRevision: (number: number, revision: string) => `Proposal ${number} · ${revision}`,
    sincePrevious: " since the previous proposal",
    outdated: (revision: ReactNode): ReactNode => (
      <>The plan has changed since; it is now at {revision}.</>
    ),
    open: "Open",
    openLabel: (name: string) => `Open ${name}`,
    compare: "Compare",
    compareLabel: (name: string) => `Compare ${name} with the plan before it`,
    compareTitle: (name: string) => `Changes in ${name}`,
    compareCurrent: "Compare with current",
    compareCurrentTitle: (name: string) => `Changes since ${name}`,
    requestChanges: "Request changes…",
    approve: "Approve…",
    compareAs: "Compare as",
    compareSteps: "Steps",
    compareText: "Text",
    loadFailed: "Couldn’t load the proposal",
    loading: "Loading proposal",
    asProposed: (path: ReactNode): ReactNode => (
      <>{path} as proposed. The current plan is in the outline.</>
    ),
    textLabel: "Proposal text",
  },

  question: {
    label: "Question",
    unanswered: "Not answered.",
    options: "Answers",
    skip: "Let the model decide",
    ownWords: "or type your own answer below",
  },

  run: {
    label: "Run",
    running: "Running",
    step: (number: number, total: number, step: string) =>
      `Running step ${number}/${total} · ${step}`,
    show: "Show run",
  },

  turn: {
    interrupted: "Interrupted",
    interruptedTitle: "The model’s turn was interrupted",
    interruptedHint:
      "Planwright closed while the model was working. Everything so far is saved. Resume asks the model again; a call that may already have run isn’t repeated automatically.",
    resume: "Resume",
    orWrite: "or send another message below",
    sendGoal: "Send goal",
    retry: "Retry",
    openModels: "Open Settings → Models",
  },
};
