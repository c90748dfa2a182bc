/** The actions of the outline, for shortcuts, the palette and the list of shortcuts. */
import { type RefObject, useMemo, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";
import { showFindings } from "../findings/showFindings";
import { requestConversion } from "./ConvertDialog";
import { openFilter } from "./OutlineTools";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";
import type { Kind, StepVerbs } from "./useStepVerbs";
import { setView } from "./view";

const t = words.outline.actions;

interface Context {
  outline: Outline;
  selection: Selection;
  editing: Editing;
  rowWindow: RowWindow;
  picks: Picks;
  verbs: StepVerbs;
  foldAll: () => void;
  openHead: () => void;
}

export function useOutlineActions(context: Context): void {
  const latest = useRef(context);
  latest.current = context;

  useActions(
    useMemo<Action[]>(() => {
      const isWritable = () => latest.current.outline.is_writable;
      const hasRow = () => latest.current.selection.index !== null;
      const canEdit = () => hasRow() && isWritable();
      const add = (at: "after" | "under") => {
        const { selection, editing } = latest.current;
        editing.setAdding(selection.task ? { at, task: selection.task } : { at: "end" });
      };
      return [
        {
          id: "outline.next",
          title: t.next,
          group: "step",
          keys: "j",
          run: () => latest.current.selection.step(1),
        },
        {
          id: "outline.previous",
          title: t.previous,
          group: "step",
          keys: "k",
          run: () => latest.current.selection.step(-1),
        },
        {
          id: "outline.edit",
          title: t.open,
          group: "step",
          keys: "e",
          when: hasRow,
          run: () => latest.current.selection.edit(true),
        },
        {
          id: "outline.close",
          title: t.close,
          group: "step",
          keys: "Escape",
          when: () => latest.current.selection.isEditing,
          run: () => latest.current.selection.edit(false),
        },
        {
          id: "outline.add",
          title: t.addAfter,
          group: "edit",
          keys: "a",
          when: isWritable,
          run: () => add("after"),
        },
        {
          id: "outline.addUnder",
          title: t.addUnder,
          group: "edit",
          keys: "shift+a",
          when: canEdit,
          run: () => add("under"),
        },
        {
          id: "outline.delete",
          title: t.delete,
          group: "edit",
          keys: "Delete",
          when: canEdit,
          run: () => {
            const { picks, verbs, editing, selection } = latest.current;
            if (picks.tasks.length > 1) verbs.setDeletingPicked(true);
            else editing.setDeleting(selection.task);
          },
        },
        {
          id: "outline.moveUp",
          title: t.moveUp,
          group: "edit",
          keys: "alt+ArrowUp",
          when: canEdit,
          run: () => latest.current.editing.shift(-1),
        },
        {
          id: "outline.moveDown",
          title: t.moveDown,
          group: "edit",
          keys: "alt+ArrowDown",
          when: canEdit,
          run: () => latest.current.editing.shift(1),
        },
        ...stepActions(latest, canEdit),
        ...viewActions(latest),
        {
          id: "outline.undo",
          title: t.undo,
          group: "edit",
          keys: "mod+z",
          when: () => latest.current.outline.undo !== null,
          run: () => void latest.current.editing.send.undo(),
        },
        {
          id: "outline.redo",
          title: t.redo,
          group: "edit",
          keys: "mod+shift+z",
          when: () => latest.current.outline.redo !== null,
          run: () => void latest.current.editing.send.redo(),
        },
        {
          id: "outline.editHead",
          title: t.editHead,
          group: "edit",
          keys: "shift+e",
          when: isWritable,
          run: () => latest.current.openHead(),
        },
        {
          id: "outline.findings",
          title: t.showFindings,
          group: "go",
          keys: "f",
          run: showFindings,
        },
      ];
    }, []),
  );
}

type Latest = RefObject<Context>;

/** Actions that change steps or convert the file. */
function stepActions(latest: Latest, canEdit: () => boolean): Action[] {
  const kind = (keys: string, kind: Kind, title: string): Action => ({
    id: `outline.${kind}`,
    title,
    group: "edit",
    keys,
    when: canEdit,
    run: () => latest.current.verbs.setKind(kind),
  });
  return [
    {
      id: "outline.indent",
      title: t.indent,
      group: "edit",
      keys: "alt+ArrowRight",
      when: canEdit,
      run: () => latest.current.verbs.indent(),
    },
    {
      id: "outline.outdent",
      title: t.outdent,
      group: "edit",
      keys: "alt+ArrowLeft",
      when: canEdit,
      run: () => latest.current.verbs.outdent(),
    },
    {
      id: "outline.split",
      title: t.split,
      group: "edit",
      keys: "s",
      when: canEdit,
      run: () => latest.current.verbs.setSplitting(latest.current.selection.task),
    },
    {
      id: "outline.merge",
      title: t.merge,
      group: "edit",
      keys: "m",
      when: canEdit,
      run: () => latest.current.verbs.merge(),
    },
    {
      id: "outline.tick",
      title: t.toggleDone,
      group: "edit",
      keys: "d",
      when: canEdit,
      run: () => {
        const { rowWindow, selection, verbs } = latest.current;
        const row = selection.index === null ? undefined : rowWindow.row(selection.index);
        verbs.tick(!(row?.done ?? false));
      },
    },
    kind("t s", "task", words.outline.changeKind.task),
    kind("t c", "checkpoint", words.outline.changeKind.checkpoint),
    kind("t d", "decision", words.outline.changeKind.decision),
    {
      id: "outline.convert",
      title: t.convert,
      group: "plan",
      keys: "p f",
      when: () => latest.current.outline.is_writable && latest.current.outline.dialect !== "native",
      run: () => requestConversion("native"),
    },
    {
      id: "outline.makeTasks",
      title: t.createSteps,
      group: "plan",
      keys: "p m",
      when: () => {
        const { is_writable: isWritable, rows, could_be_tasks: could } = latest.current.outline;
        return isWritable && rows === 0 && could.items + could.headings > 0;
      },
      run: () =>
        requestConversion(latest.current.outline.could_be_tasks.items > 0 ? "items" : "headings"),
    },
    {
      id: "outline.pick",
      title: t.toggleSelected,
      group: "step",
      keys: "x",
      when: () => latest.current.selection.index !== null,
      run: () => {
        const { picks, selection } = latest.current;
        if (selection.task && selection.index !== null)
          picks.toggle(selection.task, selection.index);
      },
    },
    {
      id: "outline.clearPicks",
      title: t.clearSelection,
      group: "step",
      keys: "Escape",
      when: () => latest.current.picks.tasks.length > 0 && !latest.current.selection.isEditing,
      run: () => latest.current.picks.clear(),
    },
  ];
}

/** Actions that change the view, not the plan. */
function viewActions(latest: Latest): Action[] {
  return [
    {
      id: "outline.filter",
      title: t.filter,
      group: "step",
      keys: "/",
      when: () => latest.current.outline.rows > 0,
      run: openFilter,
    },
    {
      id: "outline.foldAll",
      title: words.outline.filter.collapseAll,
      group: "step",
      keys: "shift+ArrowLeft",
      run: () => latest.current.foldAll(),
    },
    {
      id: "outline.unfoldAll",
      title: words.outline.filter.expandAll,
      group: "step",
      keys: "shift+ArrowRight",
      run: () => setView(latest.current.outline.plan, { folded: [] }),
    },
  ];
}
