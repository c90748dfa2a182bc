/** Text whose bytes matter, made readable without hiding any of them: control, invisible and direction-changing signs become visible marks. What a command prints is cleaned of colours instead. */

/** Signs that show nothing, or change how their neighbours are shown. Line feed and tab are drawn as themselves where lines are kept. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

const names: Record<string, string> = {
  "\u0000": "NUL",
  "\u0007": "BEL",
  "\u0008": "BS",
  "\r": "CR",
  "\u001b": "ESC",
  "\u007f": "DEL",
  "\u00a0": "NBSP",
  "\u00ad": "SHY",
  "\u200b": "ZWSP",
  "\u200c": "ZWNJ",
  "\u200d": "ZWJ",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u202a": "LRE",
  "\u202b": "RLE",
  "\u202c": "PDF",
  "\u202d": "LRO",
  "\u202e": "RLO",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
  "\ufeff": "BOM",
};

/** `U+202E`, as the sign's tooltip names it. */
export function codePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What is drawn in place of a hidden sign: `RLO`, or its number. */
export function signName(sign: string): string {
  return names[sign] ?? codePoint(sign);
}

export interface Piece {
  text: string;
  isSign: boolean;
}

/** The text cut into what is drawn as it is and the signs that would not be seen. */
export function pieces(text: string): Piece[] {
  const cut: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(hidden)) {
    if (found.index > from) cut.push({ text: text.slice(from, found.index), isSign: false });
    cut.push({ text: found[0], isSign: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) cut.push({ text: text.slice(from), isSign: false });
  return cut;
}

/** The same as one plain line, for names and menus: `rm ⟨RLO⟩txt`. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((piece) => (piece.isSign ? `⟨${signName(piece.text)}⟩` : piece.text))
    .join("")
    .replaceAll("\n", "⟨LF⟩")
    .replaceAll("\t", "⟨TAB⟩");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const terminal = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-_]/g;

/** Output as a terminal would leave it: without colours, and a line that was written over shows its last words. */
export function outputText(text: string): string {
  return text
    .replace(terminal, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1).replace(/\r+$/, ""))
    .join("\n");
}
