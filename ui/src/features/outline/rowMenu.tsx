/** The menu of a row: its button, right click and Shift+F10 open the same one. Every item also has a key. */
import {
  IconArrowDown,
  IconArrowMerge,
  IconArrowUp,
  IconCheck,
  IconIndentDecrease,
  IconIndentIncrease,
  IconLink,
  IconPencil,
  IconPlus,
  IconReplace,
  IconSeparator,
  IconSubtask,
  IconTrash,
} from "@tabler/icons-react";
import type { Row } from "../../api/bindings";
import { getPlace } from "../../app/place";
import type { MenuChoice } from "../../components/MenuButton";
import { words } from "../../words";
import { copyLink } from "../share/planLink";
import type { Editing } from "./useEditing";
import type { Selection } from "./useSelection";
import type { Kind, StepVerbs } from "./useStepVerbs";

interface RowMenuContext {
  row: Row;
  isWritable: boolean;
  selection: Selection;
  editing: Editing;
  verbs: StepVerbs;
}

/** The choices in the menu of a row. Most act on the selected row. */
export function rowChoices(context: RowMenuContext): MenuChoice[] {
  const { row, isWritable, selection, editing, verbs } = context;
  const size = 14;
  const t = words.outline.rowMenu;
  const { changeKind } = words.outline;
  const kinds: { kind: Kind; title: string; keys: string }[] = [
    { kind: "task", title: changeKind.task, keys: "t s" },
    { kind: "checkpoint", title: changeKind.checkpoint, keys: "t c" },
    { kind: "decision", title: changeKind.decision, keys: "t d" },
  ];
  const edit: MenuChoice[] = [
    {
      id: "edit",
      title: isWritable ? t.edit : t.showFields,
      keys: "e",
      icon: <IconPencil size={size} />,
      onClick: () => selection.edit(true),
    },
  ];
  const link: MenuChoice[] = [
    {
      id: "link",
      title: t.copyLink,
      keys: "y s",
      icon: <IconLink size={size} />,
      onClick: () => {
        const { plan } = getPlace();
        if (plan) copyLink(plan, row.id);
      },
    },
  ];
  if (!isWritable) return [...edit, ...link];
  return [
    ...edit,
    {
      id: "after",
      title: t.addAfter,
      keys: "a",
      icon: <IconPlus size={size} />,
      onClick: () => editing.setAdding({ at: "after", task: row.id }),
    },
    {
      id: "under",
      title: t.addUnder,
      keys: "shift+a",
      icon: <IconSubtask size={size} />,
      onClick: () => editing.setAdding({ at: "under", task: row.id }),
    },
    {
      id: "up",
      title: t.moveUp,
      keys: "alt+ArrowUp",
      icon: <IconArrowUp size={size} />,
      onClick: () => editing.shift(-1),
    },
    {
      id: "down",
      title: t.moveDown,
      keys: "alt+ArrowDown",
      icon: <IconArrowDown size={size} />,
      onClick: () => editing.shift(1),
    },
    {
      id: "indent",
      title: t.indent,
      keys: "alt+ArrowRight",
      icon: <IconIndentIncrease size={size} />,
      onClick: verbs.indent,
    },
    {
      id: "outdent",
      title: t.outdent,
      keys: "alt+ArrowLeft",
      icon: <IconIndentDecrease size={size} />,
      disabled: row.depth === 0,
      onClick: verbs.outdent,
    },
    {
      id: "split",
      title: t.split,
      keys: "s",
      icon: <IconSeparator size={size} />,
      onClick: () => verbs.setSplitting(row.id),
    },
    {
      id: "merge",
      title: t.merge,
      keys: "m",
      icon: <IconArrowMerge size={size} />,
      onClick: verbs.merge,
    },
    ...kinds
      .filter(({ kind }) => row.kind !== "group" && row.kind !== kind)
      .map(({ kind, title, keys }) => ({
        id: kind,
        title,
        keys,
        icon: <IconReplace size={size} />,
        onClick: () => verbs.setKind(kind),
      })),
    {
      id: "tick",
      title: row.done ? t.reopen : t.markDone,
      keys: "d",
      icon: <IconCheck size={size} />,
      onClick: () => verbs.tick(!row.done),
    },
    ...link,
    {
      id: "delete",
      title: t.delete,
      keys: "Delete",
      danger: true,
      icon: <IconTrash size={size} />,
      onClick: () => editing.setDeleting(row.id),
    },
  ];
}
