/** Internal errors from any source, which are kept for the error screen and written to the log. */
import { createStore } from "../lib/store";
import { commands } from "./bindings";

export interface Fault {
  /** The operation that failed, if known. */
  doing?: string;
  message: string;
  details: string;
}

export const fault = createStore<Fault | null>(null);

export function toFault(error: unknown, doing?: string): Fault {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof Error && error.stack ? error.stack : message;
  return { doing, message, details };
}

/** Writes a fault to the log. A failure to log is ignored. */
export function logFault(told: Fault): void {
  void commands.reportFault(`${told.doing ?? "fault"}: ${told.details}`).catch(() => undefined);
}

export function reportFault(error: unknown, doing?: string): void {
  const told = toFault(error, doing);
  fault.set(told);
  logFault(told);
}
