/** English strings of `run`: the cards of questions that wait for a person, and the recovery options of a step. */

/** Titles of cards, by kind of question. */
const titles: Record<string, (task: string) => string> = {
  approval: (task) => `Start ${task}?`,
  skipped_dependency: (task) => `${task} depends on a skipped step`,
  checkpoint: (task) => `${task}: review checkpoint`,
  decision: (task) => `${task} needs your answer`,
  person: (task) => `${task} is yours`,
  gate: (task) => `${task} is blocked`,
  unknown: (task) => `${task}: outcome unknown`,
  unverified: (task) => `${task} is unverified`,
  claims: () => "The plan file doesn’t match the run’s record",
  changed: () => "The plan changed",
  question: (task) => `${task}: the model has a question`,
};

/** Titles of failure cards, by the step's state. */
const failures: Record<string, (task: string) => string> = {
  refused: (task) => `${task} was refused`,
  undone: (task) => `${task} was undone`,
};

/** Titles of permission cards, by tool. */
const requests: Record<string, (task: string) => string> = {
  run_command: (task) => `${task} wants to run a command`,
  edit_file: (task) => `${task} wants to edit a file`,
  write_file: (task) => `${task} wants to write a file`,
  delete_file: (task) => `${task} wants to delete a file`,
};

/** The choices of “Always allow”, by the kind of rule that they add. */
const ruleTitles: Record<string, string> = {
  exact: "Always allow this exact request in this workspace",
  prefix: "Always allow requests that start this way in this workspace",
};

/** Recovery options that a person can choose, by strategy. */
const recoveryOptions: Record<string, { title: string; line: string }> = {
  retry_same: { title: "Retry", line: "Restarts the step; its changes are kept." },
  retry_simplified: {
    title: "Retry with less context",
    line: "Sends a smaller prompt: the step and what it needs most.",
  },
  try_alternative: {
    title: "Try another approach",
    line: "Restarts the step with your instructions.",
  },
  decompose_further: {
    title: "Split the step",
    line: "Replaces it with smaller steps in the plan.",
  },
  skip_and_continue: {
    title: "Skip the step",
    line: "Your reason is saved in the plan; the other steps continue.",
  },
  ask_user: { title: "Stop the step and ask me", line: "The step ends here; the others continue." },
  abort: { title: "Stop the run", line: "Ends the run at this step and keeps all changes." },
};

/** Recoveries that were carried out, by strategy. */
const recoveries: Record<string, string> = {
  retry_same: "Retried",
  retry_simplified: "Retried with less context",
  try_alternative: "Tried another approach",
  decompose_further: "Split into smaller steps",
  skip_and_continue: "Skipped",
  ask_user: "Asked you",
  abort: "Stopped the run",
};

export const runCards = {
  question: {
    byKind: titles,
    failures,
    failed: (task: string) => `${task} failed`,
    requests,
    requestTool: (task: string, tool: string) => `${task} wants to use ${tool}`,
    requestSomeTool: (task: string) => `${task} wants to use a tool`,
    danger: (task: string, what: string) => `${task} ${what}`,
    someDanger: (task: string) => `${task} is destructive`,
    other: (task: string) => `${task} is waiting on you`,
  },

  card: {
    answers: "Answers",
    review: "Let me review first",
    sending: "Sending answer…",
    retry: (task: string) => `Retry ${task}`,
  },

  refusal: {
    ask: "Deny…",
    deny: "Deny",
    back: "Back",
  },

  permission: {
    shell: "Shell",
    noShell: "No shell",
    command: "Full command",
    path: "Full path",
    readAll: (characters: number) =>
      `${characters.toLocaleString("en")} characters: read to the end before you allow it.`,
    changes: (path: string) => `Changes to ${path}`,
    allowOnce: "Allow once",
    always: "Always allow…",
    allowRun: "Allow for this run",
    reason: "Reason (sent to the step)",
  },

  rules: {
    titles: ruleTitles,
    other: "Always allow in this workspace",
    consequence: (rule: string) =>
      `Adds the rule “${rule}” for this workspace. You can remove it in Settings.`,
  },

  danger: {
    lost: "What was lost",
    wouldBeLost: "What would be lost",
    showAll: (n: number) => `Show all ${n}`,
    isPast: "This already happened. Deny undoes the step’s changes.",
    isNotCovered: "No approved checkpoint covers this.",
    keepResult: "Keep the result",
    reason: "Reason (saved with the step)",
  },

  start: {
    approveAndContinue: "Approve and continue",
    startAnyway: "Start anyway",
    approveThrough: (task: string) => `Approve up to ${task}`,
    approveThroughTooltip: (task: string, last: string) =>
      `Approves ${task} and the steps up to ${last}, the step selected in the outline`,
  },

  skip: {
    reason: (task: string) => `Reason for skipping ${task}`,
    reasonHint: "Saved in the plan file.",
    ask: (task: string) => `Skip ${task}…`,
    skip: (task: string) => `Skip ${task}`,
    stopRun: "Stop the run",
  },

  choice: {
    yourAnswer: "Your answer",
    answer: "Answer",
    ownAnswer: "Or write your own answer",
    sendOwnAnswer: "Send this answer",
    note: "Note (optional)",
    approveRevision: "Approve the new revision…",
  },

  person: {
    note: "Note",
    noteHint: "Optional; required to skip.",
    markAsDone: "Mark as done",
  },

  gate: {
    reason: "Reason for override",
    reasonHint: "Shown on the receipt. You can also reword the step.",
    runAnyway: (task: string) => `Run ${task} anyway`,
  },

  unknown: {
    check: "Check",
    checkLine: "Finds out what happened, undoes partial changes, then continues.",
    repeat: "Repeat",
    repeatLine: "Runs it again, whatever happened.",
    skip: "Skip",
    skipLine: "Skips the step and keeps its changes.",
    skipReason: "Reason for skipping (optional)",
    /** Saved in the plan if no reason is given. */
    defaultReason: "outcome unknown",
  },

  failure: {
    output: "Last lines of output",
  },

  recovery: {
    options: recoveryOptions,
    done: recoveries,
    label: (task: string) => `Recovery options for ${task}`,
    open: (task: string) => `Change approach for ${task}…`,
    close: "Close options",
    instructions: "Instructions",
    instructionsHint: "Sent to the model, or saved as the reason if you skip the step.",
    list: (task: string) => `Options for ${task}`,
    needsReason: "enter a reason above",
  },
};
