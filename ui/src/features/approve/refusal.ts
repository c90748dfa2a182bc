/** What the backend refused, as the dialog heads it; its own words follow. */
import { codeOf } from "../../api/client";

const heads: Record<string, string> = {
  not_covered: "The plan does not read as it did on screen. Nothing was approved, nothing runs.",
  not_runnable: "This plan cannot be run as it stands. Nothing was approved.",
  plan_is_running: "A run of this plan goes on. Nothing was approved; wait for it or end it.",
  usage: "The approval is not complete. Nothing was approved.",
};

export function refusalHead(error: unknown): string {
  return heads[codeOf(error) ?? ""] ?? "Nothing was approved.";
}
