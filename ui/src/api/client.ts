/** Unwraps a command's answer: returns its data, or throws an `ApiError` with the backend's code and message. */
import type { Code, WireError } from "./bindings";

/** An error from the backend. The message is for the person, the code for the page. */
export class ApiError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}

type Answer<T> = { status: "ok"; data: T } | { status: "error"; error: WireError };

/** Unwraps an answer. If a call fails without an answer (the page was reloaded, the command doesn't exist), that is an internal error. */
export async function ask<T>(answer: Promise<Answer<T>>): Promise<T> {
  let got: Answer<T>;
  try {
    got = await answer;
  } catch (cause) {
    throw new ApiError("internal", cause instanceof Error ? cause.message : String(cause));
  }
  if (got.status === "ok") return got.data;
  throw new ApiError(got.error.code, got.error.message);
}

export function codeOf(error: unknown): Code | null {
  return error instanceof ApiError ? error.code : null;
}

export function isInternal(error: unknown): boolean {
  return codeOf(error) === "internal";
}
