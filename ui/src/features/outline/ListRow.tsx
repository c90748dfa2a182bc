/** A row at its position in the list. Handles selecting, opening, dragging and measuring; `TaskRow` renders the content. */
import { useDraggable } from "@dnd-kit/core";
import { IconDots, IconGripVertical } from "@tabler/icons-react";
import { type MouseEvent, memo, type ReactNode, useState } from "react";
import type { Row } from "../../api/bindings";
import { MenuButton } from "../../components/MenuButton";
import { words } from "../../words";
import type { Mark } from "./marks";
import styles from "./Outline.module.css";
import { rowChoices } from "./rowMenu";
import { TaskRow } from "./TaskRow";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import { indent } from "./useRowDrag";
import type { Selection } from "./useSelection";
import type { StepVerbs } from "./useStepVerbs";

/** The deepest level that is indented; deeper ones aren't indented further, to leave room for the title. */
const deepestIndent = 8;

interface ListRowProps {
  /** The row; absent while its page is loading. */
  row: Row | undefined;
  index: number;
  /** Its position in the list on screen. */
  line: number;
  /** Offset from the top of the list, in pixels. */
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
  onFix: (finding: string, wantsPreview: boolean) => void;
  onFindings: (task: string) => void;
}

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, index, line, top, isSelected, isOpen, isPicked, isWritable, selection } = props;
  // Only the hovered and the selected row get a drag handle: there may be thousands of rows.
  const [isHovered, setHovered] = useState(false);
  const hasGrip = row && props.canDrag && !isOpen && (isSelected || isHovered || props.isDragged);

  const depth = row?.depth ?? 0;
  const choose = (event: MouseEvent) => {
    if (!row || isOpen) return;
    const isControl =
      event.target instanceof Element && event.target.closest("button,input,a,textarea");
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
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
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row takes focus, as in any grid navigated by rows */}
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

/** The drag handle, for the pointer and for Space. */
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
      aria-label={words.outline.drag.handle(row.id)}
      aria-describedby={attributes["aria-describedby"]}
      title={words.outline.drag.handleHint}
      tabIndex={isSelected ? 0 : -1}
    >
      <IconGripVertical size={12} aria-hidden />
    </button>
  );
}

/** The menu of the selected row. */
function RowMenu(props: ListRowProps & { row: Row }) {
  const { row } = props;
  return (
    <span className={styles.menu}>
      <MenuButton choices={rowChoices(props)} position="bottom-end" width={250}>
        <button
          type="button"
          className={styles.more}
          aria-label={words.outline.rowMenu.label(row.id)}
        >
          <IconDots size={14} aria-hidden />
        </button>
      </MenuButton>
    </span>
  );
}
