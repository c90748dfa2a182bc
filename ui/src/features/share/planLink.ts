/** Links to a plan or one of its steps. The shell opens them; see `plan_links.rs`. */
import { words } from "../../words";
import { copyText } from "../run/clipboard";

export function planLink(plan: string, step?: string): string {
  const at = `planwright://open?path=${encodeURIComponent(plan)}`;
  return step ? `${at}&step=${encodeURIComponent(step)}` : at;
}

/** Copies a link and confirms it in a toast. */
export function copyLink(plan: string, step?: string): void {
  void copyText(planLink(plan, step), step ? words.share.stepCopied(step) : words.share.planCopied);
}
