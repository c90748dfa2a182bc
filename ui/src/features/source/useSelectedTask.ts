/** Syncs the cursor and the selected step: the step at the cursor gets selected, and a step selected elsewhere is scrolled into view. */
import { EditorView } from "@codemirror/view";
import { type RefObject, useCallback, useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { useTask } from "../../api/queries";
import { getPlace, setPlace, usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { taskAsked } from "../outline/showTask";
import { lineRequest, stepRequest } from "./showLine";
import { findTask, taskAt } from "./tasks";
import type { OpenEditor } from "./useEditor";

/** Milliseconds without cursor movement before the step at the cursor is selected. */
export const restMs = 300;

/** The number of the last handled request to show a step; kept while other views are open. */
let handled = 0;

/** Returns the function to call when the person moves the cursor. */
export function useCursorRest(editor: RefObject<OpenEditor | null>): () => void {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return useCallback(() => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const state = editor.current?.view.state;
      const task = state && taskAt(state, state.selection.main.head)?.id;
      if (task && task !== getPlace().task) setPlace({ task, editing: false });
    }, restMs);
  }, [editor]);
}

/** Scrolls to a step when it is selected elsewhere. @param isChecked whether the positions of the steps are known */
export function useFollow(editor: OpenEditor | null, outline: Outline, isChecked: boolean): void {
  const { task } = usePlace();
  const requested = useStore(stepRequest);
  const shown = useStore(taskAsked)?.count ?? 0;
  const before = useRef<{ editor: OpenEditor | null; task: string | null; shown: number }>({
    editor: null,
    task: null,
    shown,
  });
  const isUnknown =
    editor !== null && isChecked && task !== null && !findTask(editor.view.state, task);
  // In a very long plan, the check only returns the first steps; the lines of others are fetched.
  const far = useTask(outline.plan, outline.revision, isUnknown ? task : null).data;

  useEffect(() => {
    if (!editor || !isChecked) return;
    const { state } = editor.view;
    const isRequested = requested !== handled || shown !== before.current.shown;
    const isBack = before.current.editor !== editor && editor.restoredTask === task;
    const isNew = before.current.task !== task && !isBack;
    const known = task ? findTask(state, task) : null;
    const line = !known && far?.row.id === task ? far.line : null;
    // The effect runs again once the line is known.
    if (task && !known && line === null && (isRequested || isNew)) return;
    handled = requested;
    before.current = { editor, task, shown };
    if (!task || !(isRequested || isNew)) return;

    const { head } = state.selection.main;
    const isHere = taskAt(state, head)?.id === task;
    // While the editor has focus, its cursor moves only on request.
    if (isRequested || !(isHere || editor.view.hasFocus)) {
      const start = known?.from ?? state.doc.line(Math.min(line ?? 1, state.doc.lines)).from;
      const pos = isHere ? head : start;
      editor.view.dispatch({
        selection: isHere ? undefined : { anchor: pos },
        effects: EditorView.scrollIntoView(pos, { y: isHere ? "nearest" : "start", yMargin: 40 }),
      });
    }
    if (isRequested) editor.view.focus();
  }, [editor, task, requested, shown, isChecked, far]);
}

/** The number of the last handled request to show a line; kept while other views are open. */
let handledLine = 0;

/** Moves the cursor to the requested line. */
export function useLineRequest(editor: OpenEditor | null): void {
  const request = useStore(lineRequest);
  useEffect(() => {
    if (!editor || !request || request.count === handledLine) return;
    handledLine = request.count;
    const { doc } = editor.view.state;
    const { from } = doc.line(Math.max(1, Math.min(request.line, doc.lines)));
    editor.view.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: "center" }),
    });
    editor.view.focus();
  }, [editor, request]);
}
