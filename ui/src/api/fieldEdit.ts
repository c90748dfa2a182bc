/** Edits whose field shows the failure itself, without a toast. */
import { commands, type Edit, type EditOutcome, type EditPreview } from "./bindings";
import { ask } from "./client";

export function writeField(plan: string, revision: string, edit: Edit): Promise<EditOutcome> {
  return ask(commands.edit(plan, revision, edit));
}

/** What an edit would change. */
export function previewEdit(plan: string, revision: string, edit: Edit): Promise<EditPreview> {
  return ask(commands.previewEdit(plan, revision, edit));
}
