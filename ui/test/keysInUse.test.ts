/** The mark that is set while the page is used by keyboard. */
import { afterEach, expect, test } from "vitest";
import { markKeysInUse } from "../src/lib/keysInUse";

let stop = () => {};
afterEach(() => stop());

test("Tab sets the mark, and a click removes it", () => {
  stop = markKeysInUse();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  expect(document.documentElement.dataset.by).toBeUndefined();
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
  expect(document.documentElement.dataset.by).toBe("keys");
  document.dispatchEvent(new Event("pointerdown"));
  expect(document.documentElement.dataset.by).toBeUndefined();
});
