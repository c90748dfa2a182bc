/** Fetches the number of a step's first line in the plan's file, to open the file there in an editor. */
import { commands } from "./bindings";
import { ask } from "./client";

export function askLine(plan: string, revision: string, task: string): Promise<number> {
  return ask(commands.task(plan, revision, task)).then((detail) => detail.line);
}
