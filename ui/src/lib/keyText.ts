/** Key combinations such as `mod+Enter` or `g i`: parsing, matching events, and this platform's notation. */
import { words } from "../words";

const isMac = typeof navigator !== "undefined" && /Mac/i.test(navigator.platform);

const names = words.app.keys;
const caps: Record<string, string> = {
  escape: names.escape,
  arrowup: "↑",
  arrowdown: "↓",
  arrowleft: "←",
  arrowright: "→",
  delete: names.delete,
  backspace: "⌫",
  ...(isMac
    ? { mod: "⌘", shift: "⇧", alt: "⌥", enter: "⏎" }
    : { mod: names.control, shift: names.shift, alt: names.alt, enter: "↵" }),
};

/** Key caps, one list per stroke: `g i` → `[["G"], ["I"]]`. */
export function keyCaps(keys: string): string[][] {
  return keys
    .split(" ")
    .map((stroke) =>
      (stroke === "+" ? ["+"] : stroke.split("+")).map(
        (part) => caps[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part),
      ),
    );
}

/** Keys as text, for tooltips and screen readers: `Ctrl+Enter`, `G then I`. */
export function keyWords(keys: string): string {
  return names.sequence(keyCaps(keys).map((stroke) => stroke.join("+")));
}

/** An event's stroke in the notation of actions: `mod+shift+z`, `?`, `ArrowDown`. */
export function strokeOf(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  const printable = event.key.length === 1;
  // Shift is part of a printable character such as "?", but distinguishes "mod+shift+z" from "mod+z".
  if (event.shiftKey && (!printable || /[a-z]/i.test(event.key))) parts.push("shift");
  parts.push(printable ? event.key.toLowerCase() : event.key);
  return parts.join("+");
}
