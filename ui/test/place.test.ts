/** The place is kept within 150 ms, and what belongs to one plan does not follow to another. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  flushPlace,
  getPlace,
  nowhere,
  openPlan,
  restorePlace,
  screenOf,
  setPlace,
} from "../src/app/place";

const keep = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  keep.mockClear();
  restorePlace({ ...nowhere, workspace: "/w" }, keep);
});

afterEach(() => {
  vi.useRealTimers();
});

test("a change is kept within 150 ms, several of them once", () => {
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
