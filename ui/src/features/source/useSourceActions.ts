/** The actions of the source view. Their shortcuts also work while typing; none approves or runs anything. */
import { openSearchPanel } from "@codemirror/search";
import { useMemo, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";
import type { Send } from "../outline/useSend";
import { goToMark, offerFixes } from "./marks";
import { foldTasks, unfoldTasks } from "./tasks";
import type { OpenEditor } from "./useEditor";

interface SourceContext {
  editor: OpenEditor | null;
  outline: Outline;
  send: Send;
}

export const planUndoKeys = "mod+alt+z";

export function useSourceActions(context: SourceContext): void {
  const latest = useRef(context);
  latest.current = context;

  useActions(
    useMemo<Action[]>(() => {
      const titles = words.source.actions;
      const isOpen = () => latest.current.editor !== null;
      const view = () => latest.current.editor?.view;
      const inEditor = (act: (editor: OpenEditor) => void) => () => {
        const { editor } = latest.current;
        if (editor) act(editor);
      };
      return [
        {
          id: "source.save",
          title: titles.save,
          group: "edit",
          keys: "mod+s",
          inFields: true,
          when: () => isOpen() && !view()?.state.readOnly,
          run: inEditor(({ autosave }) => autosave.save()),
        },
        {
          id: "source.find",
          title: titles.find,
          group: "edit",
          keys: "mod+f",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => openSearchPanel(view)),
        },
        {
          id: "source.nextMark",
          title: titles.nextProblem,
          group: "go",
          keys: "F8",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => goToMark(view)),
        },
        {
          id: "source.previousMark",
          title: titles.previousProblem,
          group: "go",
          keys: "shift+F8",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => goToMark(view, -1)),
        },
        {
          id: "source.fix",
          title: titles.showProblems,
          group: "edit",
          keys: "alt+Enter",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => offerFixes(view)),
        },
        {
          id: "source.fold",
          title: titles.fold,
          group: "edit",
          keys: "mod+alt+[",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => foldTasks(view)),
        },
        {
          id: "source.unfold",
          title: titles.unfold,
          group: "edit",
          keys: "mod+alt+]",
          inFields: true,
          when: isOpen,
          run: inEditor(({ view }) => unfoldTasks(view)),
        },
        {
          id: "source.planUndo",
          title: titles.undoPlanEdit,
          group: "edit",
          keys: planUndoKeys,
          inFields: true,
          when: () => latest.current.outline.undo !== null,
          run: () => void latest.current.send.undo(),
        },
        {
          id: "source.planRedo",
          title: titles.redoPlanEdit,
          group: "edit",
          keys: "mod+alt+shift+z",
          inFields: true,
          when: () => latest.current.outline.redo !== null,
          run: () => void latest.current.send.redo(),
        },
      ];
    }, []),
  );
}
