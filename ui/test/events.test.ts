/** Events: which queries each invalidates; a gap in the sequence numbers invalidates everything. */
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

test("a changed plan invalidates its own current state only", () => {
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

test("a review event invalidates the history and conflicts of its plan", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "review", plan: "/a.md" }] });
  expect(stale).toContainEqual(keys.history("/a.md"));
  expect(stale).toContainEqual(keys.conflicts("/a.md"));
});

test("a plan's route is refetched when the app wrote it, but not after a user's edit", () => {
  const by = (author: string) =>
    heard({ seq: 1, events: [{ kind: "plan", plan: "/a.md", revision: null, author }] }).stale;
  expect(by("app")).toContainEqual(keys.planRoute("/a.md"));
  expect(by("person")).not.toContainEqual(keys.planRoute("/a.md"));
});

test("a moved plan is refetched at its old and new path", () => {
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

test("duplicate events in a batch invalidate once", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "inbox" }, { kind: "inbox" }] });
  expect(stale).toEqual([keys.inbox, keys.questions]);
});

test("an insights event invalidates all insights", () => {
  const { stale } = heard({ seq: 1, events: [{ kind: "insights" }] });
  expect(stale).toEqual([keys.allInsights]);
});

test("consecutive sequence numbers invalidate nothing; a gap invalidates everything", () => {
  const none = { events: [] as DesktopEvent[] };
  expect(heard({ seq: 7, ...none }, { seq: 8, ...none }).stale).toEqual([]);
  expect(heard({ seq: 7, ...none }, { seq: 9, ...none }).stale).toEqual([[]]);
});

test("a burst of events waits for each refetch, then refetches once more", async () => {
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

test("progress is written to the cache, not refetched", () => {
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

test("a notice is shown as a toast", () => {
  heard({ seq: 1, events: [{ kind: "notice", about: null, message: "The disk is nearly full." }] });
  expect(toasts.get().at(-1)?.title).toBe("The disk is nearly full.");
});

test("a first fetch in progress is repeated, since its answer may predate the event", async () => {
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

test("a pending fetch that is no longer shown is invalidated once it has answered", async () => {
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
