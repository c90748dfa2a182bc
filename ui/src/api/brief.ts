/** A step as a brief to hand over: asked when it is copied, not before. */
import { commands } from "./bindings";
import { ask } from "./client";

export function askBrief(plan: string, revision: string, task: string): Promise<string> {
  return ask(commands.brief(plan, revision, task));
}
