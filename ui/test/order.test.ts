/** Mapping between rows and visible lines, given the collapsed groups and the filter. */
import { expect, test } from "vitest";
import { orderOf } from "../src/features/outline/order";

test("without a filter every row has its own line", () => {
  const order = orderOf([[0, 5]], 5);
  expect(order.lines).toBe(5);
  for (const at of [0, 1, 2, 3, 4]) {
    expect(order.rowOf(at)).toBe(at);
    expect(order.lineOf(at)).toBe(at);
  }
  expect(order.rowGapOf(5)).toBe(5);
});

test("rows outside the runs have no line, and gaps map to the next visible row", () => {
  // The visible rows are 0 and 1, 4, and 7 to 9.
  const order = orderOf(
    [
      [0, 2],
      [4, 5],
      [7, 10],
    ],
    12,
  );
  expect(order.lines).toBe(6);
  expect([0, 1, 2, 3, 4, 5].map(order.rowOf)).toEqual([0, 1, 4, 7, 8, 9]);
  expect([0, 2, 3, 4, 6, 7, 9, 10, 11].map(order.lineOf)).toEqual([
    0,
    null,
    null,
    2,
    null,
    3,
    5,
    null,
    null,
  ]);
  expect(order.gapOf(3)).toBe(2);
  expect(order.rowGapOf(2)).toBe(4);
  expect(order.rowGapOf(6)).toBe(12);
});

test("with nothing visible there are no lines", () => {
  const order = orderOf([], 3);
  expect(order.lines).toBe(0);
  expect(order.lineOf(1)).toBeNull();
  expect(order.rowGapOf(0)).toBe(3);
});
