/** An edit whose failure its own field shows: no toast, the text stays where it was typed. */
import { commands, type Edit, type EditOutcome } from "./bindings";
import { ask } from "./client";

export function writeField(plan: string, revision: string, edit: Edit): Promise<EditOutcome> {
  return ask(commands.edit(plan, revision, edit));
}
