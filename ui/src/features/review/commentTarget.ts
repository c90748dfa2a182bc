/** The target of a new comment: a step and the selected text in it. Each new target moves focus to the review's composer. */
import { getPlace } from "../../app/place";
import { createStore } from "../../lib/store";

export interface CommentTarget {
  /** The step; null for the whole plan. */
  task: string | null;
  /** The selected text; empty for a comment on the whole step. */
  quote: string;
  /** Some text before the quote, which distinguishes equal quotes. */
  before: string;
  kind: "comment" | "replace";
  count: number;
}

export const commentTarget = createStore<CommentTarget | null>(null);

/** Maximum length of a quote, which only has to identify a place. */
const maxQuote = 400;
/** Number of characters kept from the text before a quote. */
const maxBefore = 40;

/** Starts a comment on the selected text, or on the selected step if no text is selected. */
export function askComment(kind: CommentTarget["kind"] = "comment"): void {
  const selected = selectedText();
  commentTarget.set({
    task: selected?.task ?? getPlace().task,
    quote: selected?.quote ?? "",
    before: selected?.before ?? "",
    kind,
    count: (commentTarget.get()?.count ?? 0) + 1,
  });
}

export interface SelectedText {
  task: string | null;
  quote: string;
  before: string;
  /** The selection's position on screen. */
  place: DOMRect | null;
}

/** The selected text in the center, in a field or in plain text. */
export function selectedText(): SelectedText | null {
  const centre = document.getElementById("centre");
  const field = document.activeElement;
  if (
    (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) &&
    centre?.contains(field)
  ) {
    const { selectionStart: from, selectionEnd: to, value } = field;
    if (from === null || to === null || from === to) return null;
    return selectedIn(field, value.slice(from, to), value.slice(0, from), null);
  }
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const start = range.startContainer;
  const holder = start instanceof Element ? start : start.parentElement;
  if (!holder || !centre?.contains(holder)) return null;
  const before = start instanceof Text ? start.data.slice(0, range.startOffset) : "";
  const place = range.getBoundingClientRect?.() ?? null;
  return selectedIn(holder, selection.toString(), before, place);
}

function selectedIn(
  holder: Element,
  text: string,
  before: string,
  place: DOMRect | null,
): SelectedText | null {
  const quote = text.trim().slice(0, maxQuote);
  if (!quote) return null;
  const row = holder.closest<HTMLElement>("[data-task]");
  const isSource = holder.closest(".cm-editor") !== null;
  return {
    task: row?.dataset.task ?? (isSource ? getPlace().task : null),
    quote,
    before: before.slice(-maxBefore),
    place,
  };
}
