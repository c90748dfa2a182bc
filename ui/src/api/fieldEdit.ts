/** Edits whose field shows the failure itself, without a toast. */
import {
  type ConflictChoice,
  commands,
  type DecidedLines,
  type Edit,
  type EditOutcome,
  type EditPreview,
} from "./bindings";
import { ask } from "./client";

export function writeField(plan: string, revision: string, edit: Edit): Promise<EditOutcome> {
  return ask(commands.edit(plan, revision, edit));
}

/** What an edit would change. */
export function previewEdit(plan: string, revision: string, edit: Edit): Promise<EditPreview> {
  return ask(commands.previewEdit(plan, revision, edit));
}

/** Settles the plan's conflicts about text for which a version was just chosen. A failure only leaves them listed. */
export async function settleConflicts(
  plan: string,
  choice: ConflictChoice,
  decided: DecidedLines,
): Promise<void> {
  await ask(commands.settleConflicts(plan, choice, decided)).catch(() => undefined);
}
