/** Makes text readable without hiding bytes: control, invisible and direction-changing characters become visible marks. Command output is stripped of terminal sequences instead. */

/** Code points that are invisible or change how their neighbors look. Line feeds and tabs aren't included, because blocks display them. */
const hidden: [from: number, to: number][] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xe0000, 0xe0fff],
];

function isHidden(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  return hidden.some(([from, to]) => code >= from && code <= to);
}

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

/** A character's code point for the mark's tooltip: `U+202E`. */
export function codePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The mark for a hidden character: `RLO`, or its code point. */
export function signName(sign: string): string {
  return names[sign] ?? codePoint(sign);
}

export interface Piece {
  text: string;
  isSign: boolean;
}

/** Splits text into plain pieces and hidden characters. */
export function pieces(text: string): Piece[] {
  const cut: Piece[] = [];
  let plain = "";
  for (const sign of text) {
    if (!isHidden(sign)) {
      plain += sign;
      continue;
    }
    if (plain) cut.push({ text: plain, isSign: false });
    plain = "";
    cut.push({ text: sign, isSign: true });
  }
  if (plain) cut.push({ text: plain, isSign: false });
  return cut;
}

/** Text with its marks as plain text on one line, for names and menus: `rm ⟨RLO⟩txt`. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((piece) => (piece.isSign ? `⟨${signName(piece.text)}⟩` : piece.text))
    .join("")
    .replaceAll("\n", "⟨LF⟩")
    .replaceAll("\t", "⟨TAB⟩");
}

const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
/** Terminal sequences: colors, cursor moves, titles and others. */
const terminal = new RegExp(
  [
    `${esc}\\[[0-?]*[ -/]*[@-~]`,
    `${esc}\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`,
    `${esc}[@-_]`,
  ].join("|"),
  "g",
);

/** Output as a terminal would finally show it: without colors, and with overwritten lines in their final state. */
export function outputText(text: string): string {
  return text
    .replace(terminal, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1).replace(/\r+$/, ""))
    .join("\n");
}
