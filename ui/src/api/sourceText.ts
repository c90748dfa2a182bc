/** A plan's text for who works outside of a component: the source view saves behind a pause and completes while one types. A failure is its caller's to show. */
import { commands, type EditOutcome, type SourceView, type TaskRef } from "./bindings";
import { ask } from "./client";

/** Writes the whole text, merged into what others wrote since `revision`. */
export function saveText(plan: string, revision: string, text: string): Promise<EditOutcome> {
  return ask(commands.saveText(plan, revision, text));
}

export function readSource(plan: string, revision: string): Promise<SourceView> {
  return ask(commands.source(plan, revision));
}

/** Files of the workspace whose paths have the words. */
export function findFiles(workspace: string, words: string): Promise<string[]> {
  return ask(commands.findFiles(workspace, words));
}

export function findTasks(plan: string, revision: string, words: string): Promise<TaskRef[]> {
  return ask(commands.findTasks(plan, revision, words));
}

export function knownCommands(workspace: string): Promise<string[]> {
  return ask(commands.knownCommands(workspace));
}
