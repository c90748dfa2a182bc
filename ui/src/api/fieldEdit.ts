/** Edits made in fields, which show failures themselves, without a toast. */
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

/** The changes that an edit would make. */
export function previewEdit(plan: string, revision: string, edit: Edit): Promise<EditPreview> {
  return ask(commands.previewEdit(plan, revision, edit));
}

/** Resolves the plan's conflicts about a text after the person chose one of its versions. If that fails, they stay listed. */
export async function settleConflicts(
  plan: string,
  choice: ConflictChoice,
  decided: DecidedLines,
): Promise<void> {
  await ask(commands.settleConflicts(plan, choice, decided)).catch(() => undefined);
}
