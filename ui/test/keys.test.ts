/** Shortcuts: where each applies. No shortcut that approves may work in a field or dialog. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Action, listenForKeys, registerActions, startedChord } from "../src/app/keys";
import { keyCaps } from "../src/lib/keyText";

const primary = vi.fn();
const inbox = vi.fn();
const palette = vi.fn();
const list: Action[] = [
  { id: "a", title: "Approve", group: "plan", keys: "mod+Enter", run: primary },
  { id: "b", title: "Inbox", group: "go", keys: "g i", run: inbox },
  { id: "c", title: "All actions", group: "window", keys: "mod+k", inFields: true, run: palette },
];
let ends: (() => void)[] = [];

beforeEach(() => {
  vi.clearAllMocks();
  ends = [registerActions(list), listenForKeys()];
});

afterEach(() => {
  for (const end of ends) end();
});

function press(
  key: string,
  how: KeyboardEventInit = {},
  target: EventTarget = document.body,
): void {
  target.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...how }),
  );
}

test("Ctrl+Enter and ⌘+Enter trigger the primary action", () => {
  press("Enter", { ctrlKey: true });
  press("Enter", { metaKey: true });
  expect(primary).toHaveBeenCalledTimes(2);
});

test("holding a key down triggers its action once", () => {
  press("Enter", { ctrlKey: true });
  press("Enter", { ctrlKey: true, repeat: true });
  expect(primary).toHaveBeenCalledTimes(1);
});

test.each(["input", "textarea"])("in a text field (%s) only allowed actions run", (name) => {
  const field = document.body.appendChild(document.createElement(name));
  press("Enter", { ctrlKey: true }, field);
  press("g", {}, field);
  press("i", {}, field);
  expect(primary).not.toHaveBeenCalled();
  expect(inbox).not.toHaveBeenCalled();
  press("k", { ctrlKey: true }, field);
  expect(palette).toHaveBeenCalledTimes(1);
});

test("no shortcut works behind an open dialog", () => {
  const dialog = document.body.appendChild(document.createElement("section"));
  dialog.setAttribute("role", "dialog");
  press("Enter", { ctrlKey: true });
  press("k", { ctrlKey: true });
  expect(primary).not.toHaveBeenCalled();
  expect(palette).not.toHaveBeenCalled();
});

test("a chord needs both strokes in order", () => {
  press("i");
  expect(inbox).not.toHaveBeenCalled();
  press("g");
  press("i");
  expect(inbox).toHaveBeenCalledTimes(1);
});

test("a chord typed quickly works even if the page handles it late", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const alone = vi.fn();
  ends.push(
    registerActions([{ id: "f", title: "Indent", group: "edit", keys: "i", run: alone }]),
    vi.useRealTimers,
  );
  const at = (key: string, ms: number) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, "timeStamp", { value: ms });
    document.body.dispatchEvent(event);
  };
  at("g", 1000);
  vi.advanceTimersByTime(60_000);
  at("i", 1200);
  expect([inbox.mock.calls.length, alone.mock.calls.length]).toEqual([1, 0]);

  at("g", 10_000);
  at("i", 16_000);
  expect([inbox.mock.calls.length, alone.mock.calls.length]).toEqual([1, 1]);
});

test("a pending chord lists its possible next keys until it ends, Escape or a click", () => {
  const told = () => startedChord.get()?.actions.map((action) => action.id);
  const typeAndEnd: (() => void)[] = [
    () => press("i"),
    () => press("Escape"),
    () => press("x"),
    () => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })),
  ];
  for (const end of typeAndEnd) {
    press("g");
    expect(told()).toEqual(["b"]);
    end();
    expect(told()).toBeUndefined();
  }
  expect(inbox).toHaveBeenCalledTimes(1);
});

test("a key without Ctrl doesn't trigger the shortcut with Ctrl", () => {
  press("Enter");
  press("k");
  expect(primary).not.toHaveBeenCalled();
  expect(palette).not.toHaveBeenCalled();
});

test("when two actions share a key, the one near the focus wins, regardless of order", () => {
  const [outline, panel] = [vi.fn(), vi.fn()];
  let isNear = false;
  ends.push(
    registerActions([
      { id: "d", title: "Next step", group: "plan", keys: "j", run: outline },
      {
        id: "e",
        title: "Next finding",
        group: "plan",
        keys: "j",
        isNear: () => isNear,
        run: panel,
      },
    ]),
  );
  press("j");
  expect([outline.mock.calls.length, panel.mock.calls.length]).toEqual([1, 0]);
  isNear = true;
  press("j");
  expect([outline.mock.calls.length, panel.mock.calls.length]).toEqual([1, 1]);
});

test("arrow and delete keys are shown with their keyboard symbols", () => {
  const shown = ["alt+ArrowRight", "shift+ArrowLeft", "ArrowUp", "Delete", "Backspace"];
  expect(shown.map((keys) => keyCaps(keys)[0]?.at(-1))).toEqual(["→", "←", "↑", "Del", "⌫"]);
});
