/** Findings and what the reader found odd, as marks in the text: underlined, with a dot beside the line, and a card that says what it is and offers the fix. */
import { type Diagnostic, forEachDiagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import {
  ChangeSet,
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { EditorView, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { TextFix, TextMark } from "../../api/bindings";

/** A mark as the linter keeps it; it moves with the text. */
export interface PlanDiagnostic extends Diagnostic {
  mark: TextMark;
}

const severities: Record<string, Diagnostic["severity"]> = {
  critical: "error",
  major: "warning",
  minor: "info",
  info: "hint",
};

/** Lines from 1 and columns, as the backend counts, become positions. A mark of no width gets its line's words. */
export function toDiagnostics(doc: Text, marks: TextMark[], canFix: boolean): PlanDiagnostic[] {
  return marks
    .map((mark): PlanDiagnostic => {
      const line = doc.line(Math.min(Math.max(mark.line, 1), doc.lines));
      let from = line.from + Math.min(mark.from, line.length);
      let to = line.from + Math.min(Math.max(mark.to, mark.from), line.length);
      if (from === to) {
        const words = line.text.trim();
        from = line.from + (words ? line.text.indexOf(words) : 0);
        to = from + words.length;
      }
      const { fix } = mark;
      return {
        from,
        to,
        severity: severities[mark.severity] ?? "info",
        message: mark.message,
        mark,
        renderMessage: () => cardWords(mark),
        actions:
          fix && canFix
            ? [{ name: fix.label, apply: (view) => applyFix(view, fix, mark.message) }]
            : [],
      };
    })
    .sort((one, other) => one.from - other.from || one.to - other.to);
}

/** What happened to the text since it was checked, so that a fix lands where it was meant. */
const sinceCheck = StateField.define<ChangeSet>({
  create: (state) => ChangeSet.empty(state.doc.length),
  update(since, transaction) {
    if (transaction.effects.some((effect) => effect.is(checked))) {
      return ChangeSet.empty(transaction.state.doc.length);
    }
    return transaction.docChanged ? since.compose(transaction.changes) : since;
  },
});

const checked = StateEffect.define<null>();

/** Shows what a check of the text as it stands has found. */
export function showMarks(
  view: EditorView,
  marks: TextMark[],
  effects: StateEffect<unknown>[],
): void {
  const found = toDiagnostics(view.state.doc, marks, !view.state.readOnly);
  view.dispatch(setDiagnostics(view.state, found), {
    effects: [...effects, checked.of(null)],
  });
}

function applyFix(view: EditorView, fix: TextFix, message: string): void {
  const { state } = view;
  const since = state.field(sinceCheck);
  const changes = ChangeSet.of(
    fix.changes.map(({ from, to, text }) => ({ from, to, insert: text })),
    since.length,
  ).map(since, true);
  view.dispatch({
    changes,
    effects: [closeCard.of(null), EditorView.announce.of(`Done: ${fix.label}. It was: ${message}`)],
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

function cardWords(mark: TextMark): HTMLElement {
  const words = document.createElement("span");
  words.className = "pw-mark";
  const spoken = document.createElement("span");
  spoken.className = "pw-sr";
  spoken.textContent = `${mark.severity}: `;
  const message = document.createElement("bdi");
  message.textContent = mark.message;
  words.append(iconOf(mark.severity), spoken, message);
  return words;
}

/** Where a mark stands now, in the order of the text. */
export function marksOf(state: EditorState): PlanDiagnostic[] {
  const found: PlanDiagnostic[] = [];
  forEachDiagnostic(state, (one, from, to) => found.push({ ...(one as PlanDiagnostic), from, to }));
  return found;
}

const openCard = StateEffect.define<{ pos: number; marks: PlanDiagnostic[] }>();
const closeCard = StateEffect.define<null>();

/** The card at the cursor, for who has no pointer to hover with. It closes when the text or the cursor changes. */
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
      dom.setAttribute("aria-label", marks.length === 1 ? "Mark" : `${marks.length} marks`);
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
  item.className = `cm-diagnostic cm-diagnostic-${one.severity}`;
  const text = document.createElement("span");
  text.className = "cm-diagnosticText";
  text.append(cardWords(one.mark));
  item.append(text);
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

/** Goes to the next mark behind the cursor, from the last to the first, and shows its card. */
export function goToMark(view: EditorView, by: 1 | -1 = 1): boolean {
  const all = marksOf(view.state);
  const { from } = view.state.selection.main;
  const next =
    by > 0
      ? (all.find((mark) => mark.from > from) ?? all[0])
      : (all.filter((mark) => mark.from < from).at(-1) ?? all.at(-1));
  if (!next) {
    view.dispatch({ effects: EditorView.announce.of("There is no mark in the text.") });
    return false;
  }
  const here = all.filter((mark) => mark.from === next.from);
  const { number } = view.state.doc.lineAt(next.from);
  view.dispatch({
    selection: { anchor: next.from },
    effects: [
      openCard.of({ pos: next.from, marks: here }),
      EditorView.scrollIntoView(next.from, { y: "nearest", yMargin: 120 }),
      EditorView.announce.of(`Line ${number}: ${here.map((mark) => mark.message).join(" ")}`),
    ],
    userEvent: "select.mark",
  });
  view.focus();
  return true;
}

/** Opens the card of the marks at the cursor, else of those of its line, with the focus on the first fix. */
export function offerFixes(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const all = marksOf(view.state).filter((mark) => mark.from <= line.to && mark.to >= line.from);
  const touching = all.filter((mark) => mark.from <= head && head <= mark.to);
  const withFix = (list: PlanDiagnostic[]) => list.some((mark) => (mark.actions ?? []).length > 0);
  const marks = withFix(touching) || !withFix(all) ? (touching.length > 0 ? touching : all) : all;
  if (marks.length === 0) {
    view.dispatch({ effects: EditorView.announce.of("There is no mark in this line.") });
    return false;
  }
  view.dispatch({
    effects: [
      openCard.of({ pos: Math.max(line.from, marks[0]?.from ?? head), marks }),
      EditorView.announce.of(marks.map((mark) => mark.message).join(" ")),
    ],
  });
  view.dom.querySelector<HTMLElement>(".pw-cards button")?.focus();
  return true;
}

/** Closes the card at the cursor; says whether there was one. */
function close(view: EditorView): boolean {
  if (!view.state.field(cardField)) return false;
  view.dispatch({ effects: closeCard.of(null) });
  return true;
}

export const marks: Extension = [
  sinceCheck,
  cardField,
  lintGutter(),
  Prec.high(keymap.of([{ key: "Escape", run: close }])),
];
