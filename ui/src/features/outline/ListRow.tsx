/** A row in its place in the list: what selects, opens, drags and measures it. The words are TaskRow's. */
import { useDraggable } from "@dnd-kit/core";
import {
  IconArrowDown,
  IconArrowMerge,
  IconArrowUp,
  IconCheck,
  IconDots,
  IconGripVertical,
  IconIndentDecrease,
  IconIndentIncrease,
  IconPencil,
  IconPlus,
  IconReplace,
  IconSeparator,
  IconSubtask,
  IconTrash,
} from "@tabler/icons-react";
import { type MouseEvent, memo, type ReactNode, useState } from "react";
import type { Row } from "../../api/bindings";
import { MenuButton } from "../../components/MenuButton";
import type { Mark } from "./marks";
import styles from "./Outline.module.css";
import { TaskRow } from "./TaskRow";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import { indent } from "./useRowDrag";
import type { Selection } from "./useSelection";
import type { Kind, StepVerbs } from "./useStepVerbs";

/** Deeper levels stand in no further, so that a title keeps its room. */
const deepestIndent = 8;

interface ListRowProps {
  /** Absent while its page is fetched. */
  row: Row | undefined;
  index: number;
  /** Its place in the list. */
  line: number;
  /** Distance from the beginning of the list, in pixels. */
  top: number;
  measure: (element: HTMLElement | null) => void;
  mark?: Mark;
  isSelected: boolean;
  isOpen: boolean;
  isDragged: boolean;
  isPicked: boolean;
  isFolded: boolean;
  isWritable: boolean;
  canDrag: boolean;
  selection: Selection;
  editing: Editing;
  picks: Picks;
  verbs: StepVerbs;
  onFold: (task: string, isFolded: boolean) => void;
  editor?: ReactNode;
  adding?: ReactNode;
  onFix: (finding: string) => void;
  onFindings: (task: string) => void;
}

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, index, line, top, isSelected, isOpen, isPicked, isWritable, selection } = props;
  // Thousands of rows scroll by; only the one under the pointer and the selected one can be picked up.
  const [isHovered, setHovered] = useState(false);
  const hasGrip = row && props.canDrag && !isOpen && (isSelected || isHovered || props.isDragged);

  const depth = row?.depth ?? 0;
  const choose = (event: MouseEvent) => {
    if (!row || isOpen) return;
    const isControl =
      event.target instanceof Element && event.target.closest("button, input, a, textarea");
    if (!isControl && event.shiftKey) {
      props.picks.extendTo(index);
      return;
    }
    if (!isControl && (event.ctrlKey || event.metaKey)) {
      props.picks.toggle(row.id, index);
      return;
    }
    if (!isControl) props.picks.clear();
    if (!isSelected) selection.stepTo(index);
    if (event.detail === 2 && !isControl) selection.edit(true);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of its rows
    <div
      ref={props.measure}
      role="row"
      className={styles.place}
      data-index={line}
      data-task={row?.id}
      data-picked={isPicked || undefined}
      data-dragged={props.isDragged || undefined}
      aria-rowindex={line + 1}
      aria-level={depth + 1}
      aria-selected={isSelected || isPicked}
      aria-expanded={row?.kind === "group" ? !props.isFolded : undefined}
      tabIndex={isSelected && !isOpen ? 0 : -1}
      style={{
        transform: `translateY(${top}px)`,
        paddingLeft: Math.min(depth, deepestIndent) * indent,
      }}
      onClick={choose}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus, as in any grid that is moved through by rows */}
      <div role="gridcell" className={styles.cell}>
        {!row ? (
          <div className={styles.coming} aria-hidden />
        ) : isOpen ? (
          <div className={styles.open}>{props.editor}</div>
        ) : (
          <TaskRow
            row={row}
            mark={props.mark}
            isSelected={isSelected}
            isFolded={props.isFolded}
            onFold={props.onFold}
            onFix={isWritable ? props.onFix : undefined}
            onFindings={props.onFindings}
          />
        )}
        {hasGrip && <Grip row={row} index={index} isSelected={isSelected} />}
        {row && isSelected && !isOpen && <RowMenu {...props} row={row} />}
        {props.adding}
      </div>
    </div>
  );
});

/** What picks the row up, by pointer and by Space. */
function Grip({ row, index, isSelected }: { row: Row; index: number; isSelected: boolean }) {
  const { setNodeRef, attributes, listeners } = useDraggable({
    id: `${index} ${row.id}`,
    data: { row, index },
  });
  return (
    <button
      {...listeners}
      ref={setNodeRef}
      type="button"
      className={styles.grip}
      aria-label={`Move ${row.id}`}
      aria-describedby={attributes["aria-describedby"]}
      title="Drag to move; Space picks it up"
      tabIndex={isSelected ? 0 : -1}
    >
      <IconGripVertical size={12} aria-hidden />
    </button>
  );
}

/** What can be done to the selected row, for the mouse; every item has a key. */
function RowMenu({ row, isWritable, selection, editing, verbs }: ListRowProps & { row: Row }) {
  const size = 14;
  const kinds: { kind: Kind; title: string; keys: string }[] = [
    { kind: "task", title: "Make it a step", keys: "t s" },
    { kind: "checkpoint", title: "Make it a review checkpoint", keys: "t c" },
    { kind: "decision", title: "Make it a decision", keys: "t d" },
  ];
  const all = [
    {
      id: "edit",
      title: isWritable ? "Edit" : "Show all fields",
      keys: "e",
      icon: <IconPencil size={size} />,
      onClick: () => selection.edit(true),
    },
    {
      id: "after",
      title: "Add a step after",
      keys: "a",
      icon: <IconPlus size={size} />,
      onClick: () => editing.setAdding({ at: "after", task: row.id }),
    },
    {
      id: "under",
      title: "Add a sub-step",
      keys: "shift+a",
      icon: <IconSubtask size={size} />,
      onClick: () => editing.setAdding({ at: "under", task: row.id }),
    },
    {
      id: "up",
      title: "Move up",
      keys: "alt+ArrowUp",
      icon: <IconArrowUp size={size} />,
      onClick: () => editing.shift(-1),
    },
    {
      id: "down",
      title: "Move down",
      keys: "alt+ArrowDown",
      icon: <IconArrowDown size={size} />,
      onClick: () => editing.shift(1),
    },
    {
      id: "indent",
      title: "One level deeper",
      keys: "alt+ArrowRight",
      icon: <IconIndentIncrease size={size} />,
      onClick: verbs.indent,
    },
    {
      id: "outdent",
      title: "One level up",
      keys: "alt+ArrowLeft",
      icon: <IconIndentDecrease size={size} />,
      disabled: row.depth === 0,
      onClick: verbs.outdent,
    },
    {
      id: "split",
      title: "Split…",
      keys: "s",
      icon: <IconSeparator size={size} />,
      onClick: () => verbs.setSplitting(row.id),
    },
    {
      id: "merge",
      title: "Merge the next one into it",
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
      title: row.done ? "Open it again" : "Tick it by hand",
      keys: "d",
      icon: <IconCheck size={size} />,
      onClick: () => verbs.tick(!row.done),
    },
    {
      id: "delete",
      title: "Delete…",
      keys: "Delete",
      danger: true,
      icon: <IconTrash size={size} />,
      onClick: () => editing.setDeleting(row.id),
    },
  ];
  return (
    <span className={styles.menu}>
      <MenuButton choices={isWritable ? all : all.slice(0, 1)} position="bottom-end" width={250}>
        <button type="button" className={styles.more} aria-label={`What to do with ${row.id}`}>
          <IconDots size={14} aria-hidden />
        </button>
      </MenuButton>
    </span>
  );
}
