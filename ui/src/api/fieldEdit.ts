/** An edit whose field shows the failure itself, without a toast. */
import { commands, type Edit, type EditOutcome } from "./bindings";
import { ask } from "./client";

export function writeField(plan: string, revision: string, edit: Edit): Promise<EditOutcome> {
  return ask(commands.edit(plan, revision, edit));
}
