/** Checks a text being typed and fetches fixes for it, for callers that aren't components (the linter of the source view). Components use `useTextReport`. */
import { commands, type TextFix, type TextReport } from "./bindings";
import { ask } from "./client";

export function checkText(plan: string, text: string): Promise<TextReport> {
  return ask(commands.checkText(plan, text));
}

/** One of a finding's fixes, as replacements in this text. */
export function textFix(
  plan: string,
  text: string,
  finding: string,
  option: number,
): Promise<TextFix> {
  return ask(commands.textFix(plan, text, finding, option));
}
