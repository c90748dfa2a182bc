/** Events: what they make stale, and that a gap in the numbers makes everything stale. */
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import type { DesktopEvent } from "../src/api/bindings";
import { createEventSink } from "../src/api/events";
import { keys } from "../src/api/keys";
import { toasts } from "../src/lib/toast";

function heard(...batches: { seq: number; events: DesktopEvent[] }[]) {
  const cache = new QueryClient();
  const invalidate = vi.spyOn(cache, "invalidateQueries");
  const sink = createEventSink(cache);
  for (const batch of batches) sink(batch);
  return {
    cache,
    stale: invalidate.mock.calls.map(([filter]) => filter?.queryKey),
  };
}

test("a changed plan makes its present state stale, and no other plan's", () => {
  const { stale } = heard({
    seq: 1,
    events: [{ kind: "plan", plan: "/a.md", revision: "r2", author: "outside" }],
  });
  expect(stale).toEqual([
    keys.plan("/a.md"),
    keys.approvals("/a.md"),
    keys.question("/a.md"),
    keys.searches,
    keys.at("/a.md", "r2"),
  ]);
});

test("a mark or a settled conflict makes the history and the conflicts of its plan stale", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "review", plan: "/a.md" }] });
  expect(stale).toContainEqual(keys.history("/a.md"));
  expect(stale).toContainEqual(keys.conflicts("/a.md"));
});

test("how a plan came to be is asked anew when the program wrote it, and not behind an edit", () => {
  const by = (author: string) =>
    heard({ seq: 1, events: [{ kind: "plan", plan: "/a.md", revision: null, author }] }).stale;
  expect(by("app")).toContainEqual(keys.planRoute("/a.md"));
  expect(by("person")).not.toContainEqual(keys.planRoute("/a.md"));
});

test("a plan that moved is asked for where it lies, and where it lay", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "moved", plan: "/a.md", to: "/b.md" }] });
  expect(stale).toEqual([
    keys.plan("/a.md"),
    keys.plan("/b.md"),
    keys.planRoute("/a.md"),
    keys.planRoute("/b.md"),
    keys.review("/b.md"),
    keys.drafts("/b.md"),
    keys.inbox,
  ]);
});

test("the same news twice in a batch is asked for once", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "inbox" }, { kind: "inbox" }] });
  expect(stale).toEqual([keys.inbox, keys.questions]);
});

test("what is kept of how plans fared is asked for anew when there is more of it", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "insights" }] });
  expect(stale).toEqual([keys.allInsights]);
});

test("numbers without a gap make nothing else stale; a gap makes everything stale", () => {
  const none = { events: [] as DesktopEvent[] };
  expect(heard({ seq: 7, ...none }, { seq: 8, ...none }).stale).toEqual([]);
  expect(heard({ seq: 7, ...none }, { seq: 9, ...none }).stale).toEqual([[]]);
});

test("a flood waits for each answer, and asks once more behind it", async () => {
  const cache = new QueryClient();
  const answers: (() => void)[] = [];
  const invalidate = vi
    .spyOn(cache, "invalidateQueries")
    .mockImplementation(() => new Promise<void>((answer) => answers.push(answer)));
  const sink = createEventSink(cache);
  for (let seq = 1; seq <= 1000; seq += 1) sink({ seq, events: [{ kind: "insights" }] });
  expect(invalidate).toHaveBeenCalledTimes(1);
  answers[0]?.();
  await vi.waitFor(() => expect(invalidate).toHaveBeenCalledTimes(2));
  answers[1]?.();
  sink({ seq: 1001, events: [] });
  expect(invalidate).toHaveBeenCalledTimes(2);
});

test("progress is carried, not asked for", () => {
  const progress = {
    task: "T1",
    step: 1,
    steps: 3,
    is_open_ended: false,
    phase: "starting",
    tools_used: [],
    discoveries: [],
    current_action: null,
    elapsed_ms: 5,
    quiet_ms: 0,
  };
  const { cache, stale } = heard({
    seq: 1,
    events: [{ kind: "progress", run: "r", plan: "/a.md", progress, beside: [] }],
  });
  expect(stale).toEqual([]);
  expect(cache.getQueryData(keys.progress("r"))).toEqual(progress);
});

test("a notice is told", () => {
  heard({ seq: 1, events: [{ kind: "notice", about: null, message: "The disk is nearly full." }] });
  expect(toasts.get().at(-1)?.title).toBe("The disk is nearly full.");
});

test("what is being asked for the first time is asked once more: its answer may be from before the event", async () => {
  const cache = new QueryClient();
  const sink = createEventSink(cache);
  const answers: ((value: string) => void)[] = [];
  const asked = vi.fn(() => new Promise<string>((answer) => answers.push(answer)));
  const first = cache.fetchQuery({ queryKey: keys.talkOf("/a.md"), queryFn: asked });
  const shown = new QueryObserver(cache, { queryKey: keys.talkOf("/a.md"), queryFn: asked });
  const stop = shown.subscribe(() => undefined);
  sink({ seq: 1, events: [{ kind: "talk", session: "s", plan: "/a.md" }] });
  answers[0]?.("before");
  await first;
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  answers[1]?.("after");
  await vi.waitFor(() => expect(cache.getQueryData(keys.talkOf("/a.md"))).toBe("after"));
  stop();
});

test("what was asked for and is shown no more is waited for, and called stale behind its answer", async () => {
  const cache = new QueryClient();
  const sink = createEventSink(cache);
  const invalidate = vi.spyOn(cache, "invalidateQueries");
  const key = keys.talkOf("/a.md");
  let answer: (value: string) => void = () => undefined;
  const first = cache.fetchQuery({
    queryKey: key,
    queryFn: () =>
      new Promise<string>((given) => {
        answer = given;
      }),
  });
  sink({ seq: 1, events: [{ kind: "talk", session: "s", plan: "/a.md" }] });
  await new Promise((done) => setTimeout(done, 20));
  const before = invalidate.mock.calls.length;
  await new Promise((done) => setTimeout(done, 20));
  expect(invalidate.mock.calls.length).toBe(before);
  answer("before");
  await first;
  await vi.waitFor(() => expect(cache.getQueryState(key)?.isInvalidated).toBe(true));
});
