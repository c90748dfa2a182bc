/** The one way a command's answer reaches the page: its data, or an `ApiError` with the backend's code and words. */
import type { Code, WireError } from "./bindings";

/** What the backend refused or failed at. The message says what to do; the code exists so that the page can act on it. */
export class ApiError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = "ApiError";
    this.code = code;
  }
}

type Answer<T> = { status: "ok"; data: T } | { status: "error"; error: WireError };

/** Takes a command's answer apart. What is no answer at all (a lost page, a missing command) is a fault of the program. */
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
