/** The place is kept at once, the selection within 150 ms, in the order in which they changed; what belongs to one plan does not follow to another. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  flushPlace,
  getPlace,
  nowhere,
  openPlan,
  type Place,
  restorePlace,
  screenOf,
  setPlace,
} from "../src/app/place";

const keep = vi.fn<(place: Place) => Promise<void>>();

/** Lets what was promised go on. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  vi.useFakeTimers();
  await settle();
  keep.mockReset();
  keep.mockResolvedValue();
  restorePlace({ ...nowhere, workspace: "/w" }, keep);
});

afterEach(() => {
  vi.useRealTimers();
});

test("a screen, a plan and a panel are kept at once", async () => {
  openPlan("/w/a.md");
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ plan: "/w/a.md" }));
  await settle();
  setPlace({ panel: "run", run: "r" });
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "run", run: "r" }));
});

test("scrolling on does not put off what is kept", async () => {
  for (let at = 0; at < 10; at += 1) {
    setPlace({ top: `T${at}` });
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(keep.mock.calls.length).toBeGreaterThanOrEqual(2);
});

test("what is kept later never stands below what was kept before", async () => {
  let answer = () => {};
  keep.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  openPlan("/w/a.md");
  setPlace({ panel: "talk" });
  setPlace({ panel: "run" });
  vi.advanceTimersByTime(500);
  expect(keep).toHaveBeenCalledTimes(1);
  answer();
  await settle();
  expect(keep).toHaveBeenCalledTimes(2);
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "run" }));
});

test("a place that could not be kept does not hold up the next", async () => {
  keep.mockRejectedValueOnce(new Error("the disk is full"));
  openPlan("/w/a.md");
  setPlace({ panel: "run" });
  await settle();
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "run" }));
});

test("a selection is kept within 150 ms, several of them once", () => {
  setPlace({ task: "T1" });
  setPlace({ task: "T2" });
  expect(keep).not.toHaveBeenCalled();
  vi.advanceTimersByTime(150);
  expect(keep).toHaveBeenCalledTimes(1);
  expect(keep).toHaveBeenCalledWith(expect.objectContaining({ task: "T2" }));
});

test("what changes nothing is not kept", () => {
  setPlace({ workspace: "/w" });
  vi.advanceTimersByTime(500);
  expect(keep).not.toHaveBeenCalled();
});

test("a window that goes writes what waits", () => {
  setPlace({ task: "T1" });
  flushPlace();
  expect(keep).toHaveBeenCalledTimes(1);
});

test("another plan begins without the selection of the last one", () => {
  openPlan("/w/a.md");
  setPlace({ task: "T7", top: "T5", run: "r", editing: true });
  openPlan("/w/a.md");
  expect(getPlace().task).toBe("T7");
  openPlan("/w/b.md");
  expect(getPlace()).toMatchObject({
    plan: "/w/b.md",
    task: null,
    top: null,
    run: null,
    editing: false,
  });
});

test("a plan's screen without a plan is the first screen", () => {
  expect(screenOf({ ...nowhere, screen: "plan" })).toBe("first");
  expect(screenOf({ ...nowhere, screen: "something newer" })).toBe("first");
});
