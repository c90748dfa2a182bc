/** The grid of rows. Only the rows in view are mounted. Handles keys, drags, the open row and the line for a new step. */
import { DndContext, DragOverlay } from "@dnd-kit/core";
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo } from "react";
import type { Outline, Row } from "../../api/bindings";
import { useContextMenu } from "../../components/ContextMenu";
import { later } from "../../components/later";
import { words } from "../../words";
import { AddTask } from "./AddTask";
import { ListRow } from "./ListRow";
import type { Marks } from "./marks";
import styles from "./Outline.module.css";
import { rowChoices } from "./rowMenu";
import { StateIcon } from "./StateIcon";
import type { Editing } from "./useEditing";
import type { Picks } from "./usePicks";
import { describeGap, indent, useRowDrag } from "./useRowDrag";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";
import type { StepVerbs } from "./useStepVerbs";
import { setFolded } from "./view";

const TaskEditor = later(
  async () => ({ default: (await import("../task/TaskEditor")).TaskEditor }),
  3,
);

interface RowListProps {
  outline: Outline;
  rowWindow: RowWindow;
  list: RefObject<HTMLElement | null>;
  marks: Marks;
  selection: Selection;
  editing: Editing;
  /** Called with the row that must stay mounted while it is out of view. */
  onPin: (index: number | null) => void;
  onFix: (finding: string, wantsPreview: boolean) => void;
  onFindings: (task: string) => void;
  picks: Picks;
  verbs: StepVerbs;
}

/** Disables dnd-kit's announcements; the status line below announces the target instead. */
const quiet = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

export function RowList(props: RowListProps) {
  const { outline, rowWindow, list, marks, selection, editing, onPin, picks, verbs } = props;
  const { shown, view, order, virtualizer, items, row } = rowWindow;
  const folded = useMemo(() => new Set(view.filter.folded), [view.filter.folded]);
  // In a filtered list, neighbors on screen aren't neighbors in the plan.
  const canDrag = outline.is_writable && !view.isFiltered;
  const drag = useRowDrag(rowWindow, list, editing.onDrop);
  const { dragged, gap } = drag;
  const pinned = dragged?.index ?? (selection.isEditing ? selection.index : null);
  useEffect(() => onPin(pinned), [pinned, onPin]);

  const { onContextMenu, onMenuKey, menu } = useContextMenu((target) => {
    const element = target.closest<HTMLElement>('[role="row"]');
    const item = items.find(({ line }) => element?.dataset.index === String(line));
    const one = item && row(item.index);
    if (!item || !one) return null;
    const isSelected = one.id === selection.task;
    if (isSelected && selection.isEditing) return null;
    if (!isSelected) selection.stepTo(item.index);
    if (!picks.has(one.id)) picks.clear();
    const isWritable = outline.is_writable;
    return {
      label: words.outline.rowMenu.label(one.id),
      anchor: element,
      choices: rowChoices({ row: one, isWritable, selection, editing, verbs }),
    };
  });

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (onMenuKey(event)) return;
    // Handles only keys pressed on a row itself; its buttons and fields handle their own.
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "row")
      return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, items.length - 8);
    const now = selection.index === null ? undefined : row(selection.index);
    if (event.shiftKey) {
      if (event.key === "ArrowDown") picks.extendBy(1);
      else if (event.key === "ArrowUp") picks.extendBy(-1);
      else return;
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case "ArrowLeft":
        if (now?.kind === "group") setFolded(outline.plan, now.id, true);
        break;
      case "ArrowRight":
        if (now?.kind === "group") setFolded(outline.plan, now.id, false);
        break;
      case "ArrowDown":
        selection.step(1);
        break;
      case "ArrowUp":
        selection.step(-1);
        break;
      case "PageDown":
        selection.step(page);
        break;
      case "PageUp":
        selection.step(-page);
        break;
      case "Home":
        selection.stepToEnd("first");
        break;
      case "End":
        selection.stepToEnd("last");
        break;
      case "Enter":
        selection.edit(true);
        break;
      case "Backspace":
        if (outline.is_writable) editing.setDeleting(selection.task);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const onFold = useCallback(
    (task: string, isFolded: boolean) => setFolded(outline.plan, task, isFolded),
    [outline.plan],
  );
  const seen = new Set<string>();
  const margin = virtualizer.options.scrollMargin;
  const gapTop = gap ? topOf(rowWindow, order.gapOf(gap.index)) - margin : 0;

  return (
    <DndContext
      sensors={canDrag ? drag.sensors : []}
      onDragStart={drag.onDragStart}
      onDragMove={drag.onDragMove}
      onDragEnd={drag.onDragEnd}
      onDragCancel={drag.onDragCancel}
      accessibility={{
        announcements: quiet,
        screenReaderInstructions: {
          draggable: words.outline.drag.instructions,
        },
      }}
    >
      <div
        className={styles.rows}
        style={{ height: order.lines > 0 ? virtualizer.getTotalSize() : 0 }}
        role="treegrid"
        aria-label={words.outline.rows.label}
        aria-multiselectable
        aria-rowcount={order.lines}
        aria-busy={items.some((item) => !row(item.index)) || undefined}
        tabIndex={selection.index === null && shown.rows > 0 ? 0 : undefined}
        onFocus={(event) => {
          if (event.target === event.currentTarget) selection.stepTo(items[0]?.index ?? 0);
        }}
        onKeyDown={onKeyDown}
        onContextMenu={onContextMenu}
      >
        {items.map((item) => {
          const one = row(item.index);
          // Ids can repeat; keys can't, and only one row can be selected or open.
          const id = one?.id ?? `#${item.index}`;
          const isFirst = !seen.has(id);
          const key = isFirst ? id : `${id} ${item.index}`;
          seen.add(id);
          const isSelected =
            one !== undefined &&
            one.id === selection.task &&
            (selection.index === null ? isFirst : item.index === selection.index);
          return (
            <ListRow
              key={key}
              row={one}
              index={item.index}
              line={item.line}
              top={item.start - margin}
              measure={virtualizer.measureElement}
              mark={one && marks(one.id)}
              isSelected={isSelected}
              isOpen={isSelected && selection.isEditing}
              isDragged={dragged?.index === item.index}
              isPicked={one !== undefined && picks.has(one.id)}
              isFolded={one !== undefined && folded.has(one.id)}
              isWritable={outline.is_writable}
              canDrag={canDrag}
              picks={picks}
              verbs={verbs}
              onFold={onFold}
              selection={selection}
              editing={editing}
              onFix={props.onFix}
              onFindings={props.onFindings}
              editor={
                isSelected && selection.isEditing ? (
                  <TaskEditor
                    outline={outline}
                    task={one.id}
                    onClose={() => selection.edit(false)}
                  />
                ) : undefined
              }
              adding={one && isFirst && addingAt(props, one)}
            />
          );
        })}
        {gap && (
          <div
            className={styles.drop}
            style={{ top: gapTop, left: gap.depth * indent + 12 }}
            aria-hidden
          />
        )}
      </div>
      <p className="pw-sr" role="status">
        {dragged && gap ? words.outline.drag.target(dragged.row.id, describeGap(gap, row)) : ""}
      </p>
      <DragOverlay dropAnimation={null}>
        {dragged && !dragged.isByKeys && (
          <div className={styles.overlay}>
            <StateIcon row={dragged.row} />
            <span className={styles.overlayId}>{dragged.row.id}</span>
            <bdi className={styles.overlayTitle}>{dragged.row.title}</bdi>
          </div>
        )}
      </DragOverlay>
      {menu}
    </DndContext>
  );
}

/** The offset of a line's top, in pixels; for the line after the last one, the end of the list. */
function topOf({ virtualizer }: RowWindow, line: number): number {
  const before = virtualizer.measurementsCache[line - 1];
  return before ? before.end + 2 : virtualizer.options.scrollMargin;
}

/** The line for new steps, if it belongs below this row. */
function addingAt({ outline, rowWindow, editing }: RowListProps, row: Row) {
  const { adding } = editing;
  if (!adding || adding.at === "end") return undefined;
  const { at, task, next } = adding;
  const isShown = (id: string) =>
    rowWindow.items.some(({ index }) => rowWindow.row(index)?.id === id);
  const hasNext = next !== undefined && isShown(next);
  // If the row where the line was opened is out of view, it is shown below the step added last.
  if (row.id !== (hasNext && !isShown(task) ? next : task)) return undefined;
  const where = row.id === task ? { at, task } : { at: "after" as const, task: row.id };
  const key = `${where.at}/${where.task}`;
  return (
    <AddTask
      key={key}
      plan={outline.plan}
      revision={rowWindow.shown.revision}
      placeKey={key}
      placeOf={async () => (next ? { at: "after", task: next } : { at, task })}
      where={
        where.at === "after"
          ? words.outline.addTask.after(where.task)
          : words.outline.addTask.under(where.task)
      }
      takesFocus={!adding.isQuiet}
      next={hasNext ? `after/${next}` : null}
      onNext={(hasFocus) =>
        next && editing.setAdding({ at: "after", task: next, isQuiet: !hasFocus })
      }
      onAdded={editing.onAdded}
      onPasted={editing.onPasted}
      onClose={editing.closeAdding}
    />
  );
}
