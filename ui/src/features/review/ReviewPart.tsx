/** The parts of Review outside its tab: actions that start a comment from anywhere, and the two buttons beside selected text. */
import { IconMessagePlus, IconReplace } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { words } from "../../words";
import { showPanel } from "../run/panel";
import { askComment, type SelectedText, selectedText } from "./commentTarget";
import styles from "./Review.module.css";

const texts = words.review.selection;

function start(kind: "comment" | "replace"): void {
  askComment(kind);
  showPanel("review");
}

export default function ReviewPart() {
  const { task } = usePlace();
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "review.comment",
          title: task ? words.review.commentOn(task) : words.review.commentOnPlan,
          group: "step",
          keys: "c",
          run: () => start("comment"),
        },
        {
          id: "review.commentWords",
          title: texts.commentAction,
          group: "step",
          keys: "mod+alt+m",
          inFields: true,
          when: () => selectedText() !== null,
          run: () => start("comment"),
        },
        {
          id: "review.replaceWords",
          title: texts.replaceAction,
          group: "step",
          keys: "mod+alt+r",
          inFields: true,
          when: () => selectedText() !== null,
          run: () => start("replace"),
        },
      ],
      [task],
    ),
  );
  return <SelectionButtons />;
}

/** Buttons beside text selected with the pointer. For selections made by keyboard, there are shortcuts. */
function SelectionButtons() {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  useEffect(() => {
    const look = (event: PointerEvent) => {
      if (event.target instanceof Element && event.target.closest(`.${styles.selection}`)) return;
      // The selection is final only after the event.
      window.setTimeout(() => setSelected(selectedText()));
    };
    const hide = () => {
      if (document.getSelection()?.isCollapsed ?? true) setSelected(null);
    };
    document.addEventListener("pointerup", look);
    document.addEventListener("selectionchange", hide);
    return () => {
      document.removeEventListener("pointerup", look);
      document.removeEventListener("selectionchange", hide);
    };
  }, []);
  const place = selected?.place;
  if (!selected || !place || place.width === 0) return null;
  const choose = (kind: "comment" | "replace") => {
    start(kind);
    setSelected(null);
  };
  return (
    <div
      className={styles.selection}
      role="toolbar"
      aria-label={texts.toolbar}
      style={{
        top: Math.max(4, place.top - 36),
        left: Math.min(Math.max(8, place.left), window.innerWidth - 220),
      }}
      // Prevents the button from taking focus, so that the selection is kept.
      onPointerDown={(event) => event.preventDefault()}
    >
      <button type="button" onClick={() => choose("comment")}>
        <IconMessagePlus size={14} aria-hidden /> {texts.comment}
      </button>
      <button type="button" onClick={() => choose("replace")}>
        <IconReplace size={14} aria-hidden /> {texts.replace}
      </button>
    </div>
  );
}
