/** A text judged while it is being typed, for who asks outside of a component: the linter of the source view. Inside one: `useTextReport`. */
import { commands, type TextReport } from "./bindings";
import { ask } from "./client";

export function checkText(plan: string, text: string): Promise<TextReport> {
  return ask(commands.checkText(plan, text));
}
