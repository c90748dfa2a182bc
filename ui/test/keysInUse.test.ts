/** The mark of a person who moves with the keyboard. */
import { afterEach, expect, test } from "vitest";
import { markKeysInUse } from "../src/lib/keysInUse";

let stop = () => {};
afterEach(() => stop());

test("Tab marks the page, and a click takes the mark away", () => {
  stop = markKeysInUse();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  expect(document.documentElement.dataset.by).toBeUndefined();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
  expect(document.documentElement.dataset.by).toBe("keys");
  document.dispatchEvent(new Event("pointerdown"));
  expect(document.documentElement.dataset.by).toBeUndefined();
});
