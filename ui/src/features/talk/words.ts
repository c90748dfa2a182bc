/** The words for what a conversation is at. */
import type { TalkView, TalkWork } from "../../api/bindings";

const modes: Record<string, string> = {
  plan: "Plan mode: nothing but the plan may change.",
  exec: "Exec mode: what you say goes to the run of this plan.",
};

export const modeWords = (mode: string) => modes[mode] ?? mode;

const phases: Record<string, string> = {
  preparing: "Reading the plan",
  asking: "Waiting for the model",
  answering: "Answering",
  calling: "At work",
  retrying: "Trying again",
  quiet: "The model is quiet",
};

/** What it does right now, in a few words. */
export function workWords(work: TalkWork | null): string {
  if (!work) return "Beginning";
  if (work.is_stopping) return "Stopping";
  const phase = phases[work.phase] ?? work.phase;
  return work.words ? `${phase}: ${work.words}` : phase;
}

const parts: Record<string, string> = {
  system: "Instructions",
  tools: "Tools",
  summary: "Summary of what was before",
  plan: "Plan and mode",
  person: "Your words",
  model: "The model’s words and calls",
  results: "Results of calls",
  host: "Corrections",
};

export const partWords = (kind: string) => parts[kind] ?? kind;

/** `940`, `3.2k`, `128k`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  // Many windows are powers of two, and are called by them.
  const thousands = Number.isInteger(Math.log2(count)) ? count / 1024 : count / 1000;
  return `${thousands < 10 ? thousands.toFixed(1).replace(/\.0$/, "") : Math.round(thousands)}k`;
}

const troubles: Record<string, string> = {
  unsaid: "The goal was not sent yet",
  no_model: "No model is set up",
  key: "The key was refused",
  unknown_model: "The server does not have this model",
  unreachable: "The model’s server does not answer",
  endpoint: "This is no endpoint for a model",
  broken_off: "The answer was broken off",
  window: "The model’s window is too small",
  limit: "The server asks to wait",
  unfinished: "The model stopped before it was done",
  other: "The model could not go on",
};

export const troubleTitle = (kind: string) => troubles[kind] ?? troubles.other ?? kind;

/** The troubles that the Models section of the settings mends. */
export const isMendedInSettings = (kind: string) =>
  ["no_model", "key", "unknown_model", "unreachable", "endpoint", "window"].includes(kind);

/** The hint in the box. */
export function hint(talk: TalkView): string {
  if (talk.state === "working") return "Write on; send it when the model is done";
  if (talk.asks === "permission") return "No, and what to do instead";
  if (talk.asks) return "Answer, or choose above";
  return talk.mode === "exec" ? "Say something to the step at work" : "Ask for a change, or answer";
}
