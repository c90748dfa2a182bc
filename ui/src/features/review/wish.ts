/** What a person wants to comment on: the step, and the words of it that are marked. Each wish puts the caret into the field of the review. */
import { getPlace } from "../../app/place";
import { createStore } from "../../lib/store";

export interface CommentWish {
  /** Absent: the plan as a whole. */
  task: string | null;
  /** The marked words; none for a comment on the whole step. */
  quote: string;
  /** A few words before them, to tell places apart. */
  before: string;
  kind: "comment" | "replace";
  count: number;
}

export const commentWish = createStore<CommentWish | null>(null);

/** Longer quotes are cut: a quote names a place, it is no copy. */
const longestQuote = 400;
/** How much of what stands before is kept. */
const wordsBefore = 40;

/** Asks for a comment on what is marked on screen, else on the selected step. */
export function askComment(kind: CommentWish["kind"] = "comment"): void {
  const marked = markedWords();
  commentWish.set({
    task: marked?.task ?? getPlace().task,
    quote: marked?.quote ?? "",
    before: marked?.before ?? "",
    kind,
    count: (commentWish.get()?.count ?? 0) + 1,
  });
}

export interface Marked {
  task: string | null;
  quote: string;
  before: string;
  /** Where it ends on screen. */
  place: DOMRect | null;
}

/** The words that are marked in the plan's document, in a field or in plain text. */
export function markedWords(): Marked | null {
  const centre = document.getElementById("centre");
  const field = document.activeElement;
  if (
    (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) &&
    centre?.contains(field)
  ) {
    const { selectionStart: from, selectionEnd: to, value } = field;
    if (from === null || to === null || from === to) return null;
    return marked(field, value.slice(from, to), value.slice(0, from), null);
  }
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const start = range.startContainer;
  const holder = start instanceof Element ? start : start.parentElement;
  if (!holder || !centre?.contains(holder)) return null;
  const before = start instanceof Text ? start.data.slice(0, range.startOffset) : "";
  const place = range.getBoundingClientRect?.() ?? null;
  return marked(holder, selection.toString(), before, place);
}

function marked(
  holder: Element,
  words: string,
  before: string,
  place: DOMRect | null,
): Marked | null {
  const quote = words.trim().slice(0, longestQuote);
  if (!quote) return null;
  const row = holder.closest<HTMLElement>("[data-task]");
  const isSource = holder.closest(".cm-editor") !== null;
  return {
    task: row?.dataset.task ?? (isSource ? getPlace().task : null),
    quote,
    before: before.slice(-wordsBefore),
    place,
  };
}
