/** A text judged and mended while it is being typed, for who asks outside of a component: the linter of the source view. Inside one: `useTextReport`. */
import { commands, type TextFix, type TextReport } from "./bindings";
import { ask } from "./client";

export function checkText(plan: string, text: string): Promise<TextReport> {
  return ask(commands.checkText(plan, text));
}

/** One of a finding's fixes as replacements in this very text. */
export function textFix(
  plan: string,
  text: string,
  finding: string,
  option: number,
): Promise<TextFix> {
  return ask(commands.textFix(plan, text, finding, option));
}
