/** The outline's actions: keys, palette and `?` sheet in one place. */
import { type RefObject, useMemo, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { showFindings } from "../findings/showFindings";
import { openFilter } from "./OutlineTools";
import { askShape } from "./ShapeDialog";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";
import type { Kind, StepVerbs } from "./useStepVerbs";
import { setView } from "./view";

interface Doing {
  outline: Outline;
  selection: Selection;
  editing: Editing;
  rowWindow: RowWindow;
  picks: Picks;
  verbs: StepVerbs;
  foldAll: () => void;
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
          run: () => {
            const { picks, verbs, editing, selection } = now.current;
            if (picks.tasks.length > 1) verbs.setDeletingPicked(true);
            else editing.setDeleting(selection.task);
          },
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
        ...stepActions(now, canEdit),
        ...viewActions(now),
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

type Now = RefObject<Doing>;

/** What changes whole steps. */
function stepActions(now: Now, canEdit: () => boolean): Action[] {
  const kind = (keys: string, kind: Kind, title: string): Action => ({
    id: `outline.${kind}`,
    title,
    group: "Edit",
    keys,
    when: canEdit,
    run: () => now.current.verbs.setKind(kind),
  });
  return [
    {
      id: "outline.indent",
      title: "One level deeper",
      group: "Edit",
      keys: "alt+ArrowRight",
      when: canEdit,
      run: () => now.current.verbs.indent(),
    },
    {
      id: "outline.outdent",
      title: "One level up",
      group: "Edit",
      keys: "alt+ArrowLeft",
      when: canEdit,
      run: () => now.current.verbs.outdent(),
    },
    {
      id: "outline.split",
      title: "Split the selected step…",
      group: "Edit",
      keys: "s",
      when: canEdit,
      run: () => now.current.verbs.setSplitting(now.current.selection.task),
    },
    {
      id: "outline.merge",
      title: "Merge the next step into the selected one",
      group: "Edit",
      keys: "m",
      when: canEdit,
      run: () => now.current.verbs.merge(),
    },
    {
      id: "outline.tick",
      title: "Tick the selected step by hand, or open it again",
      group: "Edit",
      keys: "d",
      when: canEdit,
      run: () => {
        const { rowWindow, selection, verbs } = now.current;
        const row = selection.index === null ? undefined : rowWindow.row(selection.index);
        verbs.tick(!(row?.done ?? false));
      },
    },
    kind("t s", "task", "Make it a step"),
    kind("t c", "checkpoint", "Make it a review checkpoint"),
    kind("t d", "decision", "Make it a decision"),
    {
      id: "outline.convert",
      title: "Convert the file to Planwright's own format…",
      group: "Plan",
      keys: "p f",
      when: () => now.current.outline.is_writable && now.current.outline.dialect !== "native",
      run: () => askShape("native"),
    },
    {
      id: "outline.makeTasks",
      title: "Make tasks from list items or headings…",
      group: "Plan",
      keys: "p m",
      when: () => {
        const { is_writable: isWritable, rows, could_be_tasks: could } = now.current.outline;
        return isWritable && rows === 0 && could.items + could.headings > 0;
      },
      run: () => askShape(now.current.outline.could_be_tasks.items > 0 ? "items" : "headings"),
    },
    {
      id: "outline.pick",
      title: "Pick the selected step, or let it go",
      group: "Step",
      keys: "x",
      when: () => now.current.selection.index !== null,
      run: () => {
        const { picks, selection } = now.current;
        if (selection.task && selection.index !== null)
          picks.toggle(selection.task, selection.index);
      },
    },
    {
      id: "outline.clearPicks",
      title: "Let the picked steps go",
      group: "Step",
      keys: "Escape",
      when: () => now.current.picks.tasks.length > 0 && !now.current.selection.isEditing,
      run: () => now.current.picks.clear(),
    },
  ];
}

/** What changes only what is shown. */
function viewActions(now: Now): Action[] {
  return [
    {
      id: "outline.filter",
      title: "Filter the steps",
      group: "Step",
      keys: "/",
      when: () => now.current.outline.rows > 0,
      run: openFilter,
    },
    {
      id: "outline.foldAll",
      title: "Fold all groups",
      group: "Step",
      keys: "shift+ArrowLeft",
      run: () => now.current.foldAll(),
    },
    {
      id: "outline.unfoldAll",
      title: "Unfold all groups",
      group: "Step",
      keys: "shift+ArrowRight",
      run: () => setView(now.current.outline.plan, { folded: [] }),
    },
  ];
}
