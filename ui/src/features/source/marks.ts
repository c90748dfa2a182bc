/** Marks in the text for findings and parser problems: an underline, a dot in the gutter, and a card with the message, its fixes and a button to mute it. */
import {
  type Action,
  type Diagnostic,
  forEachDiagnostic,
  lintGutter,
  setDiagnostics,
} from "@codemirror/lint";
import {
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { TextFix, TextMark } from "../../api/bindings";
import { words } from "../../words";

const text = words.source.problems;

/** A mark as a CodeMirror diagnostic, which moves with the text. */
export interface PlanDiagnostic extends Diagnostic {
  mark: TextMark;
}

const severities: Record<string, Diagnostic["severity"]> = {
  critical: "error",
  major: "warning",
  minor: "info",
  info: "hint",
};

/** Functions that the caller provides for the card's buttons. */
export interface MarkPorts {
  /** A fix as replacements in this text; `option` is its index among the finding's fixes. */
  fix: (text: string, finding: string, option: number) => Promise<TextFix>;
  /** Asks for a reason to mute a finding; absent if muting isn't possible. */
  mute?: (mark: TextMark) => void;
  failed: (cause: unknown) => void;
}

/** Converts the backend's lines and columns to positions. An empty mark covers the text of its line. @param ports `null` if the text is read-only */
export function toDiagnostics(
  doc: Text,
  marks: TextMark[],
  ports: MarkPorts | null,
): PlanDiagnostic[] {
  return marks
    .map((mark): PlanDiagnostic => {
      const line = doc.line(Math.min(Math.max(mark.line, 1), doc.lines));
      let from = line.from + Math.min(mark.from, line.length);
      let to = line.from + Math.min(Math.max(mark.to, mark.from), line.length);
      if (from === to) {
        const trimmed = line.text.trim();
        from = line.from + (trimmed ? line.text.indexOf(trimmed) : 0);
        to = from + trimmed.length;
      }
      return {
        from,
        to,
        severity: severities[mark.severity] ?? "info",
        message: mark.message,
        mark,
        renderMessage: () => cardMessage(mark),
        actions: ports ? actionsOf(mark, ports) : [],
      };
    })
    .sort((one, other) => one.from - other.from || one.to - other.to);
}

function actionsOf(mark: TextMark, ports: MarkPorts): Action[] {
  const { finding } = mark;
  if (finding === null) return [];
  const fixes = mark.fixes.map(
    (name, option): Action => ({
      name,
      apply: (view) => void applyFix(view, ports, { ...mark, finding }, option),
    }),
  );
  const { mute } = ports;
  if (!mute) return fixes;
  const muting: Action = {
    name: text.mute,
    apply: (view) => {
      view.dispatch({ effects: closeCard.of(null) });
      mute(mark);
    },
  };
  return [...fixes, muting];
}

/** Shows the marks of a check of the current text. */
export function showMarks(
  view: EditorView,
  marks: TextMark[],
  effects: StateEffect<unknown>[],
  ports: MarkPorts,
): void {
  const found = toDiagnostics(view.state.doc, marks, view.state.readOnly ? null : ports);
  view.dispatch(setDiagnostics(view.state, found), { effects });
}

/** Applies a fix to the current text, unless the text changes while the fix is computed. */
async function applyFix(
  view: EditorView,
  ports: MarkPorts,
  mark: TextMark & { finding: string },
  option: number,
): Promise<void> {
  const { doc } = view.state;
  let fix: TextFix;
  try {
    fix = await ports.fix(doc.toString(), mark.finding, option);
  } catch (cause) {
    ports.failed(cause);
    return;
  }
  if (!view.dom.isConnected) return;
  if (!view.state.doc.eq(doc)) {
    view.dispatch({ effects: EditorView.announce.of(text.textChanged) });
    ports.failed(new Error(text.textChanged));
    return;
  }
  view.dispatch({
    changes: fix.changes.map(({ from, to, text: insert }) => ({ from, to, insert })),
    effects: [closeCard.of(null), EditorView.announce.of(text.fixed(fix.label, mark.message))],
    userEvent: "input.fix",
    scrollIntoView: true,
  });
  view.focus();
}

function iconOf(severity: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(space, "svg");
  const shape = document.createElementNS(space, "path");
  const isInfo = severity === "info";
  for (const [name, value] of Object.entries({
    width: "16",
    height: "16",
    viewBox: "0 0 24 24",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "2",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
    "aria-hidden": "true",
  })) {
    icon.setAttribute(name, value);
  }
  shape.setAttribute(
    "d",
    isInfo
      ? "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0 -18 M12 8h.01 M11 12h1v4h1"
      : "M12 9v4 M12 16h.01 M10.4 3.6l-8.1 13.5a1.9 1.9 0 0 0 1.6 2.9h16.2a1.9 1.9 0 0 0 1.6 -2.9l-8.1 -13.5a1.9 1.9 0 0 0 -3.2 0",
  );
  icon.append(shape);
  return icon;
}

function cardMessage(mark: TextMark): HTMLElement {
  const card = document.createElement("span");
  card.className = "pw-mark";
  const spoken = document.createElement("span");
  spoken.className = "pw-sr";
  spoken.textContent = `${text.severities[mark.severity] ?? mark.severity}: `;
  const message = document.createElement("bdi");
  message.textContent = mark.message;
  card.append(iconOf(mark.severity), spoken, message);
  return card;
}

/** The marks at their current positions, in text order. */
export function marksOf(state: EditorState): PlanDiagnostic[] {
  const found: PlanDiagnostic[] = [];
  forEachDiagnostic(state, (one, from, to) => found.push({ ...(one as PlanDiagnostic), from, to }));
  return found;
}

const openCard = StateEffect.define<{ pos: number; marks: PlanDiagnostic[] }>();
const closeCard = StateEffect.define<null>();

/** The card at the cursor, opened by keyboard. It closes when the text or the cursor changes. */
const cardField = StateField.define<Tooltip | null>({
  create: () => null,
  update(card, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(closeCard)) return null;
      if (effect.is(openCard)) return cardOf(effect.value.pos, effect.value.marks);
    }
    return transaction.docChanged || transaction.selection ? null : card;
  },
  provide: (field) => showTooltip.from(field),
});

function cardOf(pos: number, marks: PlanDiagnostic[]): Tooltip {
  return {
    pos,
    above: false,
    create: (view) => {
      const dom = document.createElement("div");
      const list = document.createElement("ul");
      list.className = "pw-cards";
      list.append(...marks.map((mark) => cardItem(view, mark)));
      dom.setAttribute("role", "group");
      dom.setAttribute("aria-label", words.source.status.problems(marks.length));
      dom.append(list);
      dom.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        view.dispatch({ effects: closeCard.of(null) });
        view.focus();
      });
      return { dom };
    },
  };
}

function cardItem(view: EditorView, one: PlanDiagnostic): HTMLElement {
  const item = document.createElement("li");
  item.classList.add("cm-diagnostic", `cm-diagnostic-${one.severity}`);
  const message = document.createElement("span");
  message.className = "cm-diagnosticText";
  message.append(cardMessage(one.mark));
  item.append(message);
  for (const action of one.actions ?? []) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cm-diagnosticAction";
    button.textContent = action.name;
    button.addEventListener("click", () => action.apply(view, one.from, one.to));
    item.append(button);
  }
  return item;
}

/** Moves the cursor to the next or previous mark, wrapping around, and shows its card. */
export function goToMark(view: EditorView, by: 1 | -1 = 1): boolean {
  const all = marksOf(view.state);
  const { from } = view.state.selection.main;
  const next =
    by > 0
      ? (all.find((mark) => mark.from > from) ?? all[0])
      : (all.filter((mark) => mark.from < from).at(-1) ?? all.at(-1));
  if (!next) {
    view.dispatch({ effects: EditorView.announce.of(text.none) });
    return false;
  }
  const here = all.filter((mark) => mark.from === next.from);
  const { number } = view.state.doc.lineAt(next.from);
  view.dispatch({
    selection: { anchor: next.from },
    effects: [
      openCard.of({ pos: next.from, marks: here }),
      EditorView.scrollIntoView(next.from, { y: "nearest", yMargin: 120 }),
      EditorView.announce.of(text.onLine(number, here.map((mark) => mark.message).join(" "))),
    ],
    userEvent: "select.mark",
  });
  view.focus();
  return true;
}

/** Opens the card of the marks at the cursor and focuses the first fix. If there are none, or only other marks on the line have a fix, the card has all marks of the line. */
export function offerFixes(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const all = marksOf(view.state).filter((mark) => mark.from <= line.to && mark.to >= line.from);
  const touching = all.filter((mark) => mark.from <= head && head <= mark.to);
  const withFix = (list: PlanDiagnostic[]) => list.some((mark) => (mark.actions ?? []).length > 0);
  const marks = withFix(touching) || !withFix(all) ? (touching.length > 0 ? touching : all) : all;
  if (marks.length === 0) {
    view.dispatch({ effects: EditorView.announce.of(text.noneOnLine) });
    return false;
  }
  view.dispatch({
    effects: [
      openCard.of({ pos: Math.max(line.from, marks[0]?.from ?? head), marks }),
      EditorView.announce.of(marks.map((mark) => mark.message).join(" ")),
    ],
  });
  view.dom.querySelector<HTMLElement>(".pw-cards .cm-diagnosticAction")?.focus();
  return true;
}

/** Closes the card at the cursor. Returns whether there was one. */
function closeOpenCard(view: EditorView): boolean {
  if (!view.state.field(cardField)) return false;
  view.dispatch({ effects: closeCard.of(null) });
  return true;
}

export const marks: Extension = [
  cardField,
  lintGutter(),
  Prec.high(keymap.of([{ key: "Escape", run: closeOpenCard }])),
];
