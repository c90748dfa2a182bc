/** English strings of `receipt`. */
import { count } from "./count";

/** Who chose a recovery; appended to its description. */
const chosenBy: Record<string, string> = {
  code: ", chosen by a rule",
  model: ", chosen by the model",
  person: ", chosen by you",
};

export const receipt = {
  title: "Receipt",
  copy: "Copy as Markdown",
  copied: "Receipt copied",
  close: "Close",
  errorTitle: "Couldn’t load the receipt",
  loading: "Loading receipt",
  notes: "Notes",
  steps: (n: number) => (n === 1 ? "1 STEP" : `${n} STEPS`),

  facts: {
    state: "State",
    revision: "Approved revision",
    approval: "Approval",
    sandbox: "Sandbox",
    parallel: "Parallel steps",
    upTo: (n: number) => `up to ${n}`,
    started: "Started",
    ended: "Ended",
    activeTime: "Active time",
    turns: "Model turns",
    tokens: "Tokens",
    tokensInOut: (input: number, output: number) =>
      `${input.toLocaleString("en")} in, ${output.toLocaleString("en")} out`,
  },

  step: {
    attempts: (n: number) => count(n, "attempt"),
    /** The times count from the start of the run. */
    inParallel: (steps: string, from: string, to: string) =>
      `In parallel with ${steps}, from ${from} to ${to} into the run`,
    now: "now",
    chosenBy,
    evidence: (task: string) => `Evidence for ${task}`,
    exit: (code: number) => `exit ${code}`,
  },
};
