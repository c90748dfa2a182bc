/** Which approval is being asked for. The dialogs live beside the plan; anything may open them, none of it approves. */
import { createStore } from "../../lib/store";

/** `run`: approve and run. `save`: approve, do not run. `notes`: with words under the steps. `here`: up to the selected step. `changes`: ask for changes instead. */
export type Asked = "run" | "save" | "notes" | "here" | "changes";

export const asked = createStore<{ what: Asked; upto: string | null } | null>(null);

export function askApproval(what: Asked, upto: string | null = null): void {
  asked.set({ what, upto });
}

export function closeApproval(): void {
  asked.set(null);
}
