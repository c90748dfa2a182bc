/** Pages of rows: the visible pages of a new revision are requested early, and an unchanged row stays the same object. */
import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createCache } from "../src/api/cache";
import { createEventSink } from "../src/api/events";
import { rowPage } from "../src/api/rowPages";
import { startBackend } from "./backend";
import { planBackend, planKey } from "./planBackend";

async function start() {
  const plan = planBackend();
  return { plan, cache: createCache(), backend: await startBackend(plan.answers) };
}

test("visible rows of the new revision are requested before its outline has loaded", async () => {
  const { plan, cache, backend } = await start();
  const before = plan.revision();
  const shown = new QueryObserver(cache, rowPage(planKey, before, 0));
  const leave = shown.subscribe(() => undefined);
  // This page is in the cache, but no component shows it.
  await cache.fetchQuery(rowPage(planKey, before, 100));
  const after = "f".repeat(64);
  createEventSink(cache)({
    seq: 1,
    events: [{ kind: "plan", plan: planKey, revision: after, author: "outside" }],
  });
  const ahead = backend.callsOf("rows").filter((call) => call.revision === after);
  expect(ahead.map((call) => call.from)).toEqual([0]);
  expect(backend.callsOf("outline")).toEqual([]);
  leave();
});

test("an unchanged row is the same object in the next revision", async () => {
  const { plan, cache } = await start();
  const rows = async () => {
    const page = await cache.fetchQuery(rowPage(planKey, plan.revision(), 0));
    return new Map(page.rows.map((row) => [row.id, row]));
  };
  const first = await rows();
  plan.outside((state) => {
    for (const one of state.tasks) if (one.id === "T2") one.title = "Theirs";
  });
  const second = await rows();
  expect(second.get("T1")).toBe(first.get("T1"));
  expect(second.get("T5")).toBe(first.get("T5"));
  expect(second.get("T2")?.title).toBe("Theirs");
  plan.outside((state) => state.tasks.reverse());
  expect([...(await rows()).keys()]).toEqual([...second.keys()].reverse());
});
