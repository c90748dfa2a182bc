/** Key combinations as text: parsing `mod+Enter` or `g i`, matching an event, and writing them as this platform does. */

const isMac = typeof navigator !== "undefined" && /Mac/i.test(navigator.platform);

const signs: Record<string, string> = isMac
  ? { mod: "⌘", shift: "⇧", alt: "⌥", enter: "⏎", escape: "Esc", arrowup: "↑", arrowdown: "↓" }
  : {
      mod: "Ctrl",
      shift: "Shift",
      alt: "Alt",
      enter: "↵",
      escape: "Esc",
      arrowup: "↑",
      arrowdown: "↓",
    };

/** The caps to draw, one list for each stroke: `g i` → `[["G"], ["I"]]`. */
export function keyCaps(keys: string): string[][] {
  return keys
    .split(" ")
    .map((stroke) =>
      (stroke === "+" ? ["+"] : stroke.split("+")).map(
        (part) => signs[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part),
      ),
    );
}

/** In words, for tooltips and `aria-keyshortcuts` readers: `Ctrl+Enter`, `G then I`. */
export function keyWords(keys: string): string {
  return keyCaps(keys)
    .map((stroke) => stroke.join("+"))
    .join(" then ");
}

/** The stroke of an event in the notation of the registry: `mod+shift+z`, `?`, `ArrowDown`. */
export function strokeOf(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push("mod");
  if (event.altKey) parts.push("alt");
  const printable = event.key.length === 1;
  // Shift is part of what a printable sign is ("?"), but it tells "mod+shift+z" from "mod+z".
  if (event.shiftKey && (!printable || /[a-z]/i.test(event.key))) parts.push("shift");
  parts.push(printable ? event.key.toLowerCase() : event.key);
  return parts.join("+");
}
