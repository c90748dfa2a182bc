/** Labels for ids from the backend: states, policies, recovery strategies and questions. An unknown id is shown as it is. */
import type { RunQuestion } from "../../api/bindings";
import { words } from "../../words";

interface TitleAndLine {
  title: string;
  line: string;
}

export const runStateLabel = (state: string) => words.run.states[state] ?? state;

export const stepStateLabel = (state: string) => words.run.stepStates[state] ?? state;

/** The label of a policy: how often a run asks for approval. */
export function policyLabel(policy: string): TitleAndLine {
  return words.run.policies[policy] ?? { title: policy, line: "" };
}

/** The label of a recovery that a person can choose. */
export function recoveryLabel(strategy: string): TitleAndLine {
  return words.runCards.recovery.options[strategy] ?? { title: strategy, line: "" };
}

/** The label of a recovery that was carried out. */
export function recoveredLabel(strategy: string): string {
  return words.runCards.recovery.done[strategy] ?? strategy;
}

/** The label of the button that leads to a question. */
export function answerTitle({ kind, task }: RunQuestion): string {
  // These questions are about the whole plan; their `task` isn't a step.
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
