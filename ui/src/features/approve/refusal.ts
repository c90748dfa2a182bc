/** The heading for a refused approval; the backend's message follows it. */
import { codeOf } from "../../api/client";
import { words } from "../../words";

export function refusalHeading(error: unknown): string {
  return words.approve.refusals[codeOf(error) ?? ""] ?? words.approve.dialog.refused;
}
