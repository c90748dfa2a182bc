/** The outline's actions: keys, palette and `?` sheet in one place. */
import { useMemo, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { showFindings } from "../findings/showFindings";
import type { Editing } from "./useEditing";
import type { Selection } from "./useSelection";

interface Doing {
  outline: Outline;
  selection: Selection;
  editing: Editing;
  openHead: () => void;
}

export function useOutlineActions(doing: Doing): void {
  const now = useRef(doing);
  now.current = doing;

  useActions(
    useMemo<Action[]>(() => {
      const isWritable = () => now.current.outline.is_writable;
      const hasRow = () => now.current.selection.index !== null;
      const canEdit = () => hasRow() && isWritable();
      const add = (at: "after" | "under") => {
        const { selection, editing } = now.current;
        editing.setAdding(selection.task ? { at, task: selection.task } : { at: "end" });
      };
      return [
        {
          id: "outline.next",
          title: "Select the next step",
          group: "Step",
          keys: "j",
          run: () => now.current.selection.step(1),
        },
        {
          id: "outline.previous",
          title: "Select the step before",
          group: "Step",
          keys: "k",
          run: () => now.current.selection.step(-1),
        },
        {
          id: "outline.edit",
          title: "Open the selected step",
          group: "Step",
          keys: "e",
          when: hasRow,
          run: () => now.current.selection.edit(true),
        },
        {
          id: "outline.close",
          title: "Close the open step",
          group: "Step",
          keys: "Escape",
          when: () => now.current.selection.isEditing,
          run: () => now.current.selection.edit(false),
        },
        {
          id: "outline.add",
          title: "Add a step after the selected one",
          group: "Edit",
          keys: "a",
          when: isWritable,
          run: () => add("after"),
        },
        {
          id: "outline.addUnder",
          title: "Add a sub-step to the selected one",
          group: "Edit",
          keys: "shift+a",
          when: canEdit,
          run: () => add("under"),
        },
        {
          id: "outline.delete",
          title: "Delete the selected step…",
          group: "Edit",
          keys: "Delete",
          when: canEdit,
          run: () => now.current.editing.setDeleting(now.current.selection.task),
        },
        {
          id: "outline.moveUp",
          title: "Move the selected step up",
          group: "Edit",
          keys: "alt+ArrowUp",
          when: canEdit,
          run: () => now.current.editing.shift(-1),
        },
        {
          id: "outline.moveDown",
          title: "Move the selected step down",
          group: "Edit",
          keys: "alt+ArrowDown",
          when: canEdit,
          run: () => now.current.editing.shift(1),
        },
        {
          id: "outline.undo",
          title: "Take the last edit back",
          group: "Edit",
          keys: "mod+z",
          when: () => now.current.outline.undo !== null,
          run: () => void now.current.editing.send.undo(),
        },
        {
          id: "outline.redo",
          title: "Make the edit again that was taken back",
          group: "Edit",
          keys: "mod+shift+z",
          when: () => now.current.outline.redo !== null,
          run: () => void now.current.editing.send.redo(),
        },
        {
          id: "outline.editHead",
          title: "Edit title, goal and introduction",
          group: "Edit",
          keys: "shift+e",
          when: isWritable,
          run: () => now.current.openHead(),
        },
        {
          id: "outline.findings",
          title: "Go to the findings",
          group: "Go to",
          keys: "f",
          run: showFindings,
        },
      ];
    }, []),
  );
}
