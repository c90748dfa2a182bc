/** Review beside the plan: the actions that start a comment from anywhere, and the two buttons that appear beside marked words. */
import { IconMessagePlus, IconReplace } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { showPanel } from "../run/panel";
import styles from "./Review.module.css";
import { askComment, type Marked, markedWords } from "./wish";

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
          title: task ? `Comment on ${task}` : "Comment on the plan",
          group: "Step",
          keys: "c",
          run: () => start("comment"),
        },
        {
          id: "review.commentWords",
          title: "Comment on the marked words",
          group: "Step",
          keys: "mod+alt+m",
          inFields: true,
          when: () => markedWords() !== null,
          run: () => start("comment"),
        },
        {
          id: "review.replaceWords",
          title: "Propose other words for the marked ones",
          group: "Step",
          keys: "mod+alt+r",
          inFields: true,
          when: () => markedWords() !== null,
          run: () => start("replace"),
        },
      ],
      [task],
    ),
  );
  return <MarkedButtons />;
}

/** Beside words that were marked with the pointer. Those who mark by keyboard have the keys. */
function MarkedButtons() {
  const [marked, setMarked] = useState<Marked | null>(null);
  useEffect(() => {
    const look = (event: PointerEvent) => {
      if (event.target instanceof Element && event.target.closest(`.${styles.marked}`)) return;
      // The selection is settled behind the event.
      window.setTimeout(() => setMarked(markedWords()));
    };
    const hide = () => {
      if (document.getSelection()?.isCollapsed ?? true) setMarked(null);
    };
    document.addEventListener("pointerup", look);
    document.addEventListener("selectionchange", hide);
    return () => {
      document.removeEventListener("pointerup", look);
      document.removeEventListener("selectionchange", hide);
    };
  }, []);
  const place = marked?.place;
  if (!marked || !place || place.width === 0) return null;
  const give = (kind: "comment" | "replace") => {
    start(kind);
    setMarked(null);
  };
  return (
    <div
      className={styles.marked}
      role="toolbar"
      aria-label="The marked words"
      style={{
        top: Math.max(4, place.top - 36),
        left: Math.min(Math.max(8, place.left), window.innerWidth - 220),
      }}
      // The marks stay while a button is pressed.
      onPointerDown={(event) => event.preventDefault()}
    >
      <button type="button" onClick={() => give("comment")}>
        <IconMessagePlus size={14} aria-hidden /> Comment
      </button>
      <button type="button" onClick={() => give("replace")}>
        <IconReplace size={14} aria-hidden /> Replace
      </button>
    </div>
  );
}
