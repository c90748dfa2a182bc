/** Commands of the source view for code outside of components: autosave and completion. Callers handle errors. */
import { commands, type EditOutcome, type SourceView, type TaskRef } from "./bindings";
import { ask } from "./client";

/** Writes the whole text, merged with changes by others since `revision`. */
export function saveText(plan: string, revision: string, text: string): Promise<EditOutcome> {
  return ask(commands.saveText(plan, revision, text));
}

export function readSource(plan: string, revision: string): Promise<SourceView> {
  return ask(commands.source(plan, revision));
}

/** Files of the workspace whose paths contain the words. */
export function findFiles(workspace: string, words: string): Promise<string[]> {
  return ask(commands.findFiles(workspace, words));
}

export function findTasks(plan: string, revision: string, words: string): Promise<TaskRef[]> {
  return ask(commands.findTasks(plan, revision, words));
}

export function knownCommands(workspace: string): Promise<string[]> {
  return ask(commands.knownCommands(workspace));
}
