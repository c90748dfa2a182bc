/** The source view's actions: keys, palette and `?` sheet in one place. All are heard while one types; none approves or runs anything. */
import { openSearchPanel } from "@codemirror/search";
import { useMemo, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import type { Send } from "../outline/useSend";
import type { Kept } from "./keeper";
import { goToMark, offerFixes } from "./marks";
import { foldTasks, unfoldTasks } from "./tasks";
import type { Desk } from "./useDesk";

interface Doing {
  desk: Desk | null;
  kept: Kept;
  outline: Outline;
  send: Send;
}

export const planUndoKeys = "mod+alt+z";

export function useSourceActions(doing: Doing): void {
  const now = useRef(doing);
  now.current = doing;

  useActions(
    useMemo<Action[]>(() => {
      const isOpen = () => now.current.desk !== null;
      const view = () => now.current.desk?.view;
      const inEditor = (act: (desk: Desk) => void) => () => {
        if (now.current.desk) act(now.current.desk);
      };
      return [
        {
          id: "source.save",
          title: "Save the text",
          group: "Edit",
          keys: "mod+s",
          inFields: true,
          when: () => isOpen() && !view()?.state.readOnly,
          run: inEditor(({ keeper }) => keeper.save()),
        },
        {
          id: "source.find",
          title: "Find in the text",
          group: "Edit",
          keys: "mod+f",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => openSearchPanel(desk.view)),
        },
        {
          id: "source.nextMark",
          title: "Go to the next mark in the text",
          group: "Go to",
          keys: "F8",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => goToMark(desk.view)),
        },
        {
          id: "source.previousMark",
          title: "Go to the mark before",
          group: "Go to",
          keys: "shift+F8",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => goToMark(desk.view, -1)),
        },
        {
          id: "source.fix",
          title: "Show the marks of this line and their fixes",
          group: "Edit",
          keys: "alt+Enter",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => offerFixes(desk.view)),
        },
        {
          id: "source.fold",
          title: "Fold all steps",
          group: "Edit",
          keys: "mod+alt+[",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => foldTasks(desk.view)),
        },
        {
          id: "source.unfold",
          title: "Unfold all steps",
          group: "Edit",
          keys: "mod+alt+]",
          inFields: true,
          when: isOpen,
          run: inEditor((desk) => unfoldTasks(desk.view)),
        },
        {
          id: "source.planUndo",
          title: "Take the plan's last edit back",
          group: "Edit",
          keys: planUndoKeys,
          inFields: true,
          when: () => now.current.outline.undo !== null,
          run: () => void now.current.send.undo(),
        },
        {
          id: "source.planRedo",
          title: "Make the plan's edit again that was taken back",
          group: "Edit",
          keys: "mod+alt+shift+z",
          inFields: true,
          when: () => now.current.outline.redo !== null,
          run: () => void now.current.send.redo(),
        },
      ];
    }, []),
  );
}
