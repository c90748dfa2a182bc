/** The open approval dialog. Any feature may open one; only the dialog itself approves. */
import { createStore } from "../../lib/store";

/** The purpose of the dialog. `run`: approve and run. `save`: approve without running. `notes`: approve with notes under the steps. `here`: approve and run up to the selected step. `changes`: request changes instead. */
export type Asked = "run" | "save" | "notes" | "here" | "changes";

export const asked = createStore<{ what: Asked; upto: string | null } | null>(null);

export function askApproval(what: Asked, upto: string | null = null): void {
  asked.set({ what, upto });
}

export function closeApproval(): void {
  asked.set(null);
}
