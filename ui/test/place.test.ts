/** The place is saved at once and the selection within 150 ms, in order; one plan's state doesn't carry over to another. */
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

/** Lets pending promises settle. */
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

test("a screen, a plan and a panel are saved at once", async () => {
  openPlan("/w/a.md");
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ plan: "/w/a.md" }));
  await settle();
  setPlace({ panel: "run", run: "r" });
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "run", run: "r" }));
});

test("continuous scrolling doesn't delay saving", async () => {
  for (let at = 0; at < 10; at += 1) {
    setPlace({ top: `T${at}` });
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(keep.mock.calls.length).toBeGreaterThanOrEqual(2);
});

test("a later save never lands before an earlier one", async () => {
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

test("a failed save doesn't block the next one", async () => {
  keep.mockRejectedValueOnce(new Error("the disk is full"));
  openPlan("/w/a.md");
  setPlace({ panel: "run" });
  await settle();
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "run" }));
});

test("a selection is saved within 150 ms, several in one save", () => {
  setPlace({ task: "T1" });
  setPlace({ task: "T2" });
  expect(keep).not.toHaveBeenCalled();
  vi.advanceTimersByTime(150);
  expect(keep).toHaveBeenCalledTimes(1);
  expect(keep).toHaveBeenCalledWith(expect.objectContaining({ task: "T2" }));
});

test("a change without effect isn't saved", () => {
  setPlace({ workspace: "/w" });
  vi.advanceTimersByTime(500);
  expect(keep).not.toHaveBeenCalled();
});

test("a closing window saves pending changes", () => {
  setPlace({ task: "T1" });
  flushPlace();
  expect(keep).toHaveBeenCalledTimes(1);
});

test("another plan starts without the previous selection", () => {
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

test("the plan screen without a plan falls back to the first screen", () => {
  expect(screenOf({ ...nowhere, screen: "plan" })).toBe("first");
  expect(screenOf({ ...nowhere, screen: "something newer" })).toBe("first");
});
