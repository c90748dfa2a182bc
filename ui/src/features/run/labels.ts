/** Labels for what the backend names by id: states, policies, recovery strategies and questions. An unknown id is its own label. */
import type { RunQuestion } from "../../api/bindings";
import { words } from "../../words";

interface TitleAndLine {
  title: string;
  line: string;
}

export const runStateLabel = (state: string) => words.run.states[state] ?? state;

export const stepStateLabel = (state: string) => words.run.stepStates[state] ?? state;

/** How often a run asks for approval. */
export function policyLabel(policy: string): TitleAndLine {
  return words.run.policies[policy] ?? { title: policy, line: "" };
}

/** A recovery that a person can choose. */
export function recoveryLabel(strategy: string): TitleAndLine {
  return words.runCards.recovery.options[strategy] ?? { title: strategy, line: "" };
}

/** A recovery that was done. */
export function recoveredLabel(strategy: string): string {
  return words.runCards.recovery.done[strategy] ?? strategy;
}

/** The label of the button that leads to a question. */
export function answerTitle({ kind, task }: RunQuestion): string {
  // These are about the whole plan; `task` is only the name of the question.
  return kind === "claims" || kind === "changed"
    ? words.run.verbs.answerQuestion
    : words.run.verbs.answerTask(task);
}

/** The title of a question's card. */
export function questionTitle({ kind, task, state, permission }: RunQuestion): string {
  const titles = words.runCards.question;
  if (kind === "failure") return (titles.failures[state] ?? titles.failed)(task);
  if (kind === "permission") {
    const tool = permission?.tool;
    if (!tool) return titles.requestSomeTool(task);
    return titles.requests[tool]?.(task) ?? titles.requestTool(task, tool);
  }
  if (kind === "destructive") {
    const what = permission?.danger?.what;
    return what ? titles.danger(task, what) : titles.someDanger(task);
  }
  return (titles.byKind[kind] ?? titles.other)(task);
}
