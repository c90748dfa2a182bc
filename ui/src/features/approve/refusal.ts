/** What the backend refused, as the dialog heads it; its own words follow. */
import { codeOf } from "../../api/client";

const heads: Record<string, string> = {
  not_covered: "The plan is no longer what was on screen. Nothing was approved; nothing runs.",
  not_runnable: "This plan can’t run as it is. Nothing was approved.",
  plan_is_running:
    "This plan is already running. Nothing was approved; wait for the run or cancel it.",
  usage: "The approval is incomplete. Nothing was approved.",
};

export function refusalHead(error: unknown): string {
  return heads[codeOf(error) ?? ""] ?? "Nothing was approved.";
}
