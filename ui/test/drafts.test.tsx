/** Drafts: saved within 150 ms, restored, and never overwritten while being typed. */
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useDraft } from "../src/api/drafts";
import { planPath, startBackend } from "./backend";

const found = { key: "comment/T2", text: "as it was", revision: "r1", at_ms: 1 };

test("a draft is restored after the window was closed", async () => {
  const backend = await startBackend({ drafts: () => [found] });
  const { result } = renderHook(() => useDraft(planPath, "comment/T2"), backend);
  await waitFor(() => expect(result.current.isReady).toBe(true));
  expect(result.current).toMatchObject({ text: "as it was", isDraft: true, revision: "r1" });
});

test("typed text reaches the backend within 150 ms", async () => {
  const backend = await startBackend();
  const { result } = renderHook(() => useDraft(planPath, "comment/T2", "", "r2"), backend);
  await waitFor(() => expect(result.current.isReady).toBe(true));
  vi.useFakeTimers();
  act(() => result.current.set("h"));
  act(() => result.current.set("hello"));
  vi.advanceTimersByTime(150);
  vi.useRealTimers();
  expect(backend.callsOf("save_draft")).toHaveLength(1);
  expect(backend.callsOf("save_draft")[0]).toEqual({
    plan: planPath,
    key: "comment/T2",
    text: "hello",
    revision: "r2",
  });
});

test("an external change doesn't overwrite text being typed", async () => {
  const backend = await startBackend({ drafts: () => [found] });
  const { result } = renderHook(() => useDraft(planPath, "comment/T2"), backend);
  await waitFor(() => expect(result.current.text).toBe("as it was"));
  act(() => result.current.set("mine"));
  backend.answers.drafts = () => [{ ...found, text: "another window's" }];
  const before = backend.callsOf("drafts").length;
  await act(() => backend.send({ kind: "moved", plan: "/before.md", to: planPath }));
  await waitFor(() => expect(backend.callsOf("drafts").length).toBeGreaterThan(before));
  expect(result.current.text).toBe("mine");
});

test("leaving a field saves pending text at once", async () => {
  const backend = await startBackend();
  const { result, unmount } = renderHook(() => useDraft(planPath, "comment/T2"), backend);
  act(() => result.current.set("almost lost"));
  unmount();
  expect(backend.callsOf("save_draft")).toHaveLength(1);
});

test("a submitted draft is deleted", async () => {
  const backend = await startBackend({ drafts: () => [found] });
  const { result } = renderHook(() => useDraft(planPath, "comment/T2", "value"), backend);
  await waitFor(() => expect(result.current.isDraft).toBe(true));
  act(() => result.current.drop());
  expect(backend.callsOf("save_draft").at(-1)).toMatchObject({ text: "" });
  await waitFor(() => expect(result.current).toMatchObject({ text: "value", isDraft: false }));
});

test("text typed without a pause is saved continuously", async () => {
  const backend = await startBackend();
  const { result } = renderHook(() => useDraft(planPath, "comment/T2"), backend);
  await waitFor(() => expect(result.current.isReady).toBe(true));
  vi.useFakeTimers();
  for (let typed = 1; typed <= 20; typed += 1) {
    act(() => result.current.set("x".repeat(typed)));
    vi.advanceTimersByTime(50);
    const kept = String(backend.callsOf("save_draft").at(-1)?.text ?? "");
    expect(typed - kept.length).toBeLessThanOrEqual(3);
  }
  vi.useRealTimers();
});

test("a list of drafts read before a write doesn't restore the old text", async () => {
  let answer: (list: (typeof found)[]) => void = () => {};
  const backend = await startBackend({
    drafts: () => new Promise<(typeof found)[]>((resolve) => (answer = resolve)),
  });
  const field = () => renderHook(() => useDraft(planPath, "comment/T2"), backend);
  const { result, unmount } = field();
  act(() => result.current.set("typed, then clicked away"));
  unmount();
  const again = field();
  const other = { ...found, key: "comment/T3", text: "another field" };
  await act(async () => answer([{ ...found, text: "typed, th" }, other]));
  const third = renderHook(() => useDraft(planPath, "comment/T3"), backend);
  await waitFor(() => expect(third.result.current.text).toBe("another field"));
  expect(again.result.current.text).toBe("typed, then clicked away");
});

test("a review event doesn't refetch the plan's drafts", async () => {
  const backend = await startBackend({ drafts: () => [found] });
  const { result } = renderHook(() => useDraft(planPath, "comment/T2"), backend);
  await waitFor(() => expect(result.current.isReady).toBe(true));
  await act(() => backend.send({ kind: "review", plan: planPath }));
  expect(backend.callsOf("drafts")).toHaveLength(1);
});
