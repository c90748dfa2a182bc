/** How a plan's text is drawn: Markdown by its syntax tree, and by line what Markdown does not know: front matter, task lines, key lines. Only what is in view is looked at. */
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

/** The part of the Markdown parser that its package does not name. */
interface Configurable {
  configure: (spec: { props: unknown[] }) => Language["parser"];
}

/** Markdown as Git hosts read it. Nothing folds by its syntax: only tasks do, or each paragraph would have a mark. */
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

/** What a line is, by its own words. */
export interface LineKind {
  kind: "task" | "key";
  isDone: boolean;
  /** Where an id stands that is not bold, from and to. */
  id: [from: number, to: number] | null;
}

const taskLine = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[(.)\]\s+/u;
const plainId = /^[TCD]\d+(?:\.\d+)*(?=\s|$)/;
const keyLine = /^\s+[-*+]\s+[A-Za-z]+:(?:\s|$)/;
const listMark = /^\s*(?:[-*+]|\d{1,9}[.)])\s+|^\s+/;
/** No line needs more to be told. */
const enough = 400;

export function lineKind(text: string): LineKind | null {
  const head = text.slice(0, enough);
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

/** Signs by which further screen lines of a wrapped line are moved in: under its first word. */
export function hangOf(text: string): number {
  const mark = listMark.exec(text.slice(0, enough))?.[0] ?? "";
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
      const words = line.from + (line.text.length - line.text.trimStart().length);
      if (!kind || isCode(state, words)) continue;
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

/** Signs that show nothing, or change how their neighbours are shown. Joiners and the signs behind an emoji are left out: scripts need them. Joiners count beside plain letters, where no script does. */
const unseen = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e]",
    "[\\u2000-\\u200b\\u200e\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffc]",
    "[\\u{e0000}-\\u{e0fff}]",
    "(?<=[!-~])[\\u200c\\u200d]|[\\u200c\\u200d](?=[!-~])",
  ].join("|"),
  "gu",
);

const signs = highlightSpecialChars({
  specialChars: unseen,
  render: (code) => {
    const sign = String.fromCodePoint(code);
    const mark = document.createElement("span");
    mark.className = "pw-sign";
    mark.textContent = signName(sign);
    mark.title = codePoint(sign);
    return mark;
  },
});

/** A line longer than this is drawn as it is: reading its Markdown at once would be felt. */
const longestLine = 20_000;

const language = new Compartment();
const plain: Extension = [];
const withLanguage: Extension = [planLanguage, syntaxHighlighting(highlighting), lines];

function hasLongLine(text: string): boolean {
  if (text.length <= longestLine) return false;
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    if ((end < 0 ? text.length : end) - from > longestLine) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
}

/** Takes the Markdown away when a line becomes too long while one types or pastes. */
const guard = EditorView.updateListener.of((update) => {
  if (!update.docChanged || !language.get(update.state)) return;
  let isLong = false;
  update.changes.iterChangedRanges((_from, _to, from, to) => {
    const { doc } = update.state;
    for (let pos = from; pos <= to && !isLong; ) {
      const line = doc.lineAt(pos);
      isLong = line.length > longestLine;
      pos = line.to + 1;
    }
  });
  if (isLong && language.get(update.state) !== plain) {
    update.view.dispatch({ effects: language.reconfigure(plain) });
  }
});
/** @param text what the editor begins with, to see whether its lines can be read */
export function planText(text: string): Extension {
  return [language.of(hasLongLine(text) ? plain : withLanguage), guard, signs];
}
