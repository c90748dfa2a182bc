/** Keeps the text and the selected step together: the step under the resting cursor is selected, and a step that is selected elsewhere is brought into view. */
import { EditorView } from "@codemirror/view";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { useTask } from "../../api/queries";
import { getPlace, setPlace, usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { taskAsked } from "../outline/showTask";
import { lineAsked, sourceAsked } from "./asked";
import { findTask, taskAt } from "./tasks";
import type { Desk } from "./useDesk";

/** How long the cursor rests before its step is selected. */
export const restMs = 300;

/** The last request for a step's lines that was met. One from before the view was open counts. */
let met = 0;

/** What to call when the person moved the cursor. */
export function useCursorRest(desk: RefObject<Desk | null>): () => void {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const state = desk.current?.view.state;
      const task = state && taskAt(state, state.selection.main.head)?.id;
      if (task && task !== getPlace().task) setPlace({ task, editing: false });
    }, restMs);
  }, [desk]);
}

/** Follows what is selected elsewhere. @param isJudged whether it is known where the tasks stand */
export function useFollow(desk: Desk | null, outline: Outline, isJudged: boolean): void {
  const { task } = usePlace();
  const asked = useStore(sourceAsked);
  const shown = useStore(taskAsked)?.count ?? 0;
  const before = useRef<{ desk: Desk | null; task: string | null; shown: number }>({
    desk: null,
    task: null,
    shown,
  });
  const isUnknown = desk !== null && isJudged && task !== null && !findTask(desk.view.state, task);
  // Of a plan with very many tasks only the first are known to the check.
  const far = useTask(outline.plan, outline.revision, isUnknown ? task : null).data;

  useEffect(() => {
    if (!desk || !isJudged) return;
    const { state } = desk.view;
    const isAsked = asked !== met || shown !== before.current.shown;
    const isBack = before.current.desk !== desk && desk.cameBackWith === task;
    const isNew = before.current.task !== task && !isBack;
    const known = task ? findTask(state, task) : null;
    const line = !known && far?.row.id === task ? far.line : null;
    // Not there yet: tried again when it is.
    if (task && !known && line === null && (isAsked || isNew)) return;
    met = asked;
    before.current = { desk, task, shown };
    if (!task || !(isAsked || isNew)) return;

    const { head } = state.selection.main;
    const isHere = taskAt(state, head)?.id === task;
    // Who types is not moved by what happens elsewhere.
    if (isAsked || !(isHere || desk.view.hasFocus)) {
      const start = known?.from ?? state.doc.line(Math.min(line ?? 1, state.doc.lines)).from;
      const pos = isHere ? head : start;
      desk.view.dispatch({
        selection: isHere ? undefined : { anchor: pos },
        effects: EditorView.scrollIntoView(pos, { y: isHere ? "nearest" : "start", yMargin: 40 }),
      });
    }
    if (isAsked) desk.view.focus();
  }, [desk, task, asked, shown, isJudged, far]);
}

/** The last request for a line that was met. One from before the view was open counts. */
let lineMet = 0;

/** Puts the cursor on a line that was asked for. */
export function useAskedLine(desk: Desk | null): void {
  const asked = useStore(lineAsked);
  useEffect(() => {
    if (!desk || !asked || asked.count === lineMet) return;
    lineMet = asked.count;
    const { doc } = desk.view.state;
    const { from } = doc.line(Math.max(1, Math.min(asked.line, doc.lines)));
    desk.view.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    desk.view.focus();
  }, [desk, asked]);
}
