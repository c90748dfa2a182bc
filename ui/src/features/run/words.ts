/** The words for what a run is at: states, policies, times, and the heads of its questions. */
import type { RunQuestion } from "../../api/bindings";

/** `3.2 s`, `1 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** The time today, else with its day. */
export function when(ms: number, now: number = Date.now()): string {
  const isToday = new Date(ms).toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(ms);
}

export function count(value: number, thing: string): string {
  return `${value.toLocaleString("en")} ${thing}${value === 1 ? "" : "s"}`;
}

export const shortRevision = (revision: string) => revision.slice(0, 12);

const runStates: Record<string, string> = {
  running: "Running",
  waiting: "Waiting for you",
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

export const runStateWords = (state: string) => runStates[state] ?? state;

const stepStates: Record<string, string> = {
  ready: "not started",
  running: "running",
  done: "done",
  failed: "failed",
  skipped: "skipped",
  waiting: "waiting for you",
  interrupted: "outcome unknown",
  undone: "undone",
  refused: "refused",
  unverified: "unverified",
};

export const stepStateWords = (state: string) => stepStates[state] ?? state;

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

export function policyWords(policy: string): { title: string; line: string } {
  return policies[policy] ?? { title: policy, line: "" };
}

const wants: Record<string, string> = {
  run_command: "wants to run a command",
  edit_file: "wants to edit a file",
  write_file: "wants to write a file",
  delete_file: "wants to delete a file",
};

/** What is on the button that leads to a question. */
export function answerTitle({ kind, task }: RunQuestion): string {
  // These are about the plan as a whole; their task is only a name of the question.
  return kind === "claims" || kind === "changed" ? "Answer the question" : `Answer ${task}`;
}

/** The head of a question's card. */
export function questionTitle(question: RunQuestion): string {
  const { task, kind } = question;
  switch (kind) {
    case "permission":
      return `${task} ${wants[question.permission?.tool ?? ""] ?? `wants to use ${question.permission?.tool ?? "a tool"}`}`;
    case "destructive":
      return `${task} ${question.permission?.danger?.what ?? "destroys something"}`;
    case "approval":
      return `Start ${task}?`;
    case "skipped_dependency":
      return `${task} depends on a skipped step`;
    case "checkpoint":
      return `${task}: review checkpoint`;
    case "decision":
      return `${task} needs your answer`;
    case "person":
      return `${task} is yours`;
    case "gate":
      return `${task} is blocked`;
    case "unknown":
      return `${task}: outcome unknown`;
    case "unverified":
      return `${task} is unverified`;
    case "claims":
      return "Steps differ from the record";
    case "changed":
      return "The plan changed";
    case "failure":
      if (question.state === "refused") return `${task} was refused`;
      return question.state === "undone" ? `${task} was undone` : `${task} failed`;
    case "question":
      return `${task}: the model has a question`;
    default:
      return `${task} is waiting for you`;
  }
}

const ways: Record<string, { title: string; line: string }> = {
  retry_same: {
    title: "Begin again",
    line: "The same step from its start; what it changed stays.",
  },
  retry_simplified: {
    title: "Begin again with less",
    line: "A smaller prompt: the step, and what it needs most.",
  },
  try_alternative: { title: "Another way", line: "Begins again; your words say how." },
  decompose_further: { title: "Take it apart", line: "Smaller steps in its place, in the plan." },
  skip_and_continue: {
    title: "Skip it",
    line: "Your reason is saved in the plan; the other steps continue.",
  },
  ask_user: { title: "Stop it and ask me", line: "The step ends here; the others go on." },
  abort: { title: "Stop the run", line: "Ends the run at this step; what is done stays." },
};

const went: Record<string, string> = {
  retry_same: "Begun again",
  retry_simplified: "Begun again with less",
  try_alternative: "Another way",
  decompose_further: "Taken apart",
  skip_and_continue: "Skipped",
  ask_user: "Left to you",
  abort: "The run ended here",
};

/** How a step went on, as people read it. */
export const wentWords = (strategy: string) => went[strategy] ?? strategy;

/** A way in which a step goes on, as people read it. */
export function wayWords(strategy: string): { title: string; line: string } {
  return ways[strategy] ?? { title: strategy, line: "" };
}
