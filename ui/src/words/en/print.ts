/** English strings of `print`: printing a plan. */
export const print = {
  action: "Print plan…",
  failed: "Couldn’t print the plan",
  facts: (path: string, revision: string, badge: string, done: number, total: number) =>
    `${path} · revision ${revision} · ${badge} · ${done} of ${total} steps done`,
  requirements: "Requirements",
  steps: "Steps",
  done: "done",
  open: "open",
  kinds: { checkpoint: "checkpoint", decision: "decision" } as Record<string, string>,
  /** A field of a step: its label and its values. */
  field: (label: string, values: string) => `${label}: ${values}`,
};
