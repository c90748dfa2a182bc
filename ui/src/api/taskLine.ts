/** The first line of a step in the plan's file. Fetched when the file is opened elsewhere. */
import { commands } from "./bindings";
import { ask } from "./client";

export function askLine(plan: string, revision: string, task: string): Promise<number> {
  return ask(commands.task(plan, revision, task)).then((detail) => detail.line);
}
