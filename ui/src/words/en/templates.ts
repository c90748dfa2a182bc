/** English strings of `templates`. */
import { count } from "./count";

export const templates = {
  title: "Templates",
  lead: "A template is a plan file with placeholders. A goal that matches one becomes a plan at once, without a model.",
  listFailed: "Couldn’t list the templates",
  emptyTitle: "No templates",
  empty:
    "Put a plan file with `match` and `params` in its front matter into a template folder. The folders are listed in Settings.",
  /** Labels by source; any other source is the template's path. */
  sources: { "built in": "built-in" } as Record<string, string>,
  steps: (n: number) => (n === 1 ? count(n, "step") : `up to ${count(n, "step")}`),
  parameters: "Parameters:",
  unusable: (problem: string) => `Can’t be used: ${problem}`,
  view: "View",
  viewTemplate: (name: string) => `View ${name}`,
  use: "Use",
  useTemplate: (name: string) => `Use ${name}`,
  textFailed: "Couldn’t read the template",
  textLabel: (name: string) => `Text of ${name}`,
};
