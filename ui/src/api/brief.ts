/** Fetches a step's hand-off brief, when it is copied. */
import { commands } from "./bindings";
import { ask } from "./client";

export function askBrief(plan: string, revision: string, task: string): Promise<string> {
  return ask(commands.brief(plan, revision, task));
}
