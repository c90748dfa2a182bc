/** Syntax highlighting of a plan: Markdown from its syntax tree, and front matter, step lines and key lines line by line. Only visible lines are processed. */
import { markdownLanguage } from "@codemirror/lang-markdown";
import {
  foldNodeProp,
  HighlightStyle,
  Language,
  syntaxHighlighting,
  syntaxTree,
} from "@codemirror/language";
import { Compartment, type EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { codePoint, signName } from "../../components/exactText";
import { frontMatterEnd } from "./tasks";

/** The parser's `configure` method, which the type of `markdownLanguage.parser` lacks. */
interface Configurable {
  configure: (spec: { props: unknown[] }) => Language["parser"];
}

/** GitHub-flavored Markdown without syntax folding: only steps fold; otherwise, every paragraph would have a fold marker. */
const planLanguage = new Language(
  markdownLanguage.data,
  (markdownLanguage.parser as unknown as Configurable).configure({
    props: [foldNodeProp.add(() => () => null)],
  }),
  [],
  "plan",
);

const highlighting = HighlightStyle.define([
  { tag: tags.heading, class: "pw-heading" },
  { tag: tags.strong, class: "pw-strong" },
  { tag: tags.emphasis, class: "pw-emphasis" },
  { tag: tags.strikethrough, class: "pw-struck" },
  { tag: tags.monospace, class: "pw-code" },
  { tag: tags.link, class: "pw-link" },
  { tag: tags.url, class: "pw-dim" },
  { tag: tags.quote, class: "pw-quote" },
  { tag: tags.comment, class: "pw-dim" },
  { tag: tags.contentSeparator, class: "pw-dim" },
]);

/** The kind of a line, determined by its own text. */
export interface LineKind {
  kind: "task" | "key";
  isDone: boolean;
  /** The range of the id; `null` if it is missing or bold. */
  id: [from: number, to: number] | null;
}

const taskLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[(.)\]\s+/u;
const plainId = /^[TCD]\d+(?:\.\d+)*(?=\s|$)/;
const keyLine = /^\s+[-*+]\s+[A-Za-z]+:(?:\s|$)/;
const listMark = /^\s*(?:[-*+]|\d{1,9}[.)])\s+|^\s+/;
/** Number of characters of a line that are enough to determine its kind. */
const headLength = 400;

export function lineKind(text: string): LineKind | null {
  const head = text.slice(0, headLength);
  const task = taskLine.exec(head);
  if (task) {
    const at = task[0].length;
    const id = plainId.exec(head.slice(at));
    return {
      kind: "task",
      isDone: task[1] === "x" || task[1] === "X",
      id: id ? [at, at + id[0].length] : null,
    };
  }
  return keyLine.test(head) ? { kind: "key", isDone: false, id: null } : null;
}

/** Number of characters by which a wrapped line is indented, to align with its first word. */
export function hangOf(text: string): number {
  const mark = listMark.exec(text.slice(0, headLength))?.[0] ?? "";
  return mark.includes("\t") ? 0 : Math.min(mark.length, 16);
}

const frontLine = Decoration.line({ class: "pw-front" });
const keyMark = Decoration.line({ class: "pw-key" });
const doneMark = Decoration.line({ class: "pw-done" });
const idMark = Decoration.mark({ class: "pw-strong" });
const hangs = Array.from({ length: 17 }, (_, by) =>
  Decoration.line({ class: "pw-hang", attributes: { style: `--pw-hang: ${by}ch` } }),
);

function isCode(state: EditorState, pos: number): boolean {
  for (let node = syntaxTree(state).resolveInner(pos, 1); ; ) {
    if (node.name === "FencedCode" || node.name === "CodeBlock") return true;
    if (!node.parent) return false;
    node = node.parent;
  }
}

function linesOf(view: EditorView): DecorationSet {
  const { state } = view;
  const builder = new RangeSetBuilder<Decoration>();
  const front = frontMatterEnd(state);
  let last = -1;
  for (const { from, to } of view.visibleRanges) {
    for (let pos = from; pos <= to; ) {
      const line = state.doc.lineAt(pos);
      pos = line.to + 1;
      if (line.from <= last) continue;
      last = line.from;
      if (line.number <= front) {
        builder.add(line.from, line.from, frontLine);
        continue;
      }
      const hang = hangs[hangOf(line.text)];
      if (hang && hang !== hangs[0]) builder.add(line.from, line.from, hang);
      const kind = lineKind(line.text);
      const start = line.from + (line.text.length - line.text.trimStart().length);
      if (!kind || isCode(state, start)) continue;
      if (kind.kind === "key") builder.add(line.from, line.from, keyMark);
      if (kind.isDone) builder.add(line.from, line.from, doneMark);
      if (kind.id) builder.add(line.from + kind.id[0], line.from + kind.id[1], idMark);
    }
  }
  return builder.finish();
}

const lines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = linesOf(view);
    }

    update(update: ViewUpdate): void {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state);
      if (update.docChanged || update.viewportChanged || isParsed) {
        this.decorations = linesOf(update.view);
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Characters that are invisible or change how their neighbors are shown. Joiners and emoji variation selectors are left out, because scripts and emoji need them; joiners next to ASCII are included, because ASCII never does. */
const invisible = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e]",
    "[\\u2000-\\u200b\\u200e\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffc]",
    "[\\u{e0000}-\\u{e0fff}]",
    "(?<=[!-~])[\\u200c\\u200d]|[\\u200c\\u200d](?=[!-~])",
  ].join("|"),
  "gu",
);

const invisibles = highlightSpecialChars({
  specialChars: invisible,
  render: (code) => {
    const sign = String.fromCodePoint(code);
    const mark = document.createElement("span");
    mark.className = "pw-sign";
    mark.textContent = signName(sign);
    mark.title = codePoint(sign);
    return mark;
  },
});

/** A text with a longer line isn't highlighted: parsing it would be slow. */
const maxLineLength = 20_000;

const language = new Compartment();
const plain: Extension = [];
const withLanguage: Extension = [planLanguage, syntaxHighlighting(highlighting), lines];

function hasLongLine(text: string): boolean {
  if (text.length <= maxLineLength) return false;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    if ((end < 0 ? text.length : end) - from > maxLineLength) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
}

/** Turns highlighting off when a line becomes too long. */
const guard = EditorView.updateListener.of((update) => {
  if (!update.docChanged || !language.get(update.state)) return;
  let isLong = false;
  update.changes.iterChangedRanges((_from, _to, from, to) => {
    const { doc } = update.state;
    for (let pos = from; pos <= to && !isLong; ) {
      const line = doc.lineAt(pos);
      isLong = line.length > maxLineLength;
      pos = line.to + 1;
    }
  });
  if (isLong && language.get(update.state) !== plain) {
    update.view.dispatch({ effects: language.reconfigure(plain) });
  }
});

/** @param text the text that the editor opens with, to check the length of its lines */
export function planText(text: string): Extension {
  return [language.of(hasLongLine(text) ? plain : withLanguage), guard, invisibles];
}
