/** The rows in view, as a grid of which only a window exists: selection, keys, drag, the open row and the line for a new step. */
import { DndContext, DragOverlay } from "@dnd-kit/core";
import { type KeyboardEvent, lazy, type RefObject, Suspense, useEffect } from "react";
import type { Outline, Row } from "../../api/bindings";
import { Loading } from "../../components/States";
import { AddTask } from "./AddTask";
import { ListRow } from "./ListRow";
import type { Marks } from "./marks";
import styles from "./Outline.module.css";
import { StateIcon } from "./StateIcon";
import type { Editing } from "./useEditing";
import { gapWords, indent, useRowDrag } from "./useRowDrag";
import type { RowWindow } from "./useRowWindow";
import type { Selection } from "./useSelection";

const TaskEditor = lazy(() =>
  import("../task/TaskEditor").then((found) => ({ default: found.TaskEditor })),
);

interface RowListProps {
  outline: Outline;
  rowWindow: RowWindow;
  list: RefObject<HTMLElement | null>;
  marks: Marks;
  selection: Selection;
  editing: Editing;
  /** The row that must stay mounted. */
  onPin: (index: number | null) => void;
  onFix: (finding: string) => void;
  onFindings: (task: string) => void;
}

const quiet = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

export function RowList(props: RowListProps) {
  const { outline, rowWindow, list, marks, selection, editing, onPin } = props;
  const { shown, virtualizer, items, row } = rowWindow;
  const drag = useRowDrag(rowWindow, list, editing.onDrop);
  const { dragged, gap } = drag;
  const pinned = dragged?.index ?? (selection.isEditing ? selection.index : null);
  useEffect(() => onPin(pinned), [pinned, onPin]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Only from a row itself: its buttons and fields have keys of their own.
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute("role") !== "row")
      return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const page = Math.max(1, items.length - 8);
    switch (event.key) {
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
        selection.stepTo(0);
        break;
      case "End":
        selection.stepTo(shown.rows - 1);
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

  const seen = new Set<string>();
  const margin = virtualizer.options.scrollMargin;
  const gapTop = gap ? topOf(rowWindow, gap.index) - margin : 0;

  return (
    <DndContext
      sensors={outline.is_writable ? drag.sensors : []}
      onDragStart={drag.onDragStart}
      onDragMove={drag.onDragMove}
      onDragEnd={drag.onDragEnd}
      onDragCancel={drag.onDragCancel}
      accessibility={{
        announcements: quiet,
        screenReaderInstructions: {
          draggable:
            "Space picks the step up. Up and down choose the place, left and right the level, Space lets go, Escape puts it back.",
        },
      }}
    >
      <div
        className={styles.rows}
        style={{ height: shown.rows > 0 ? virtualizer.getTotalSize() : 0 }}
        role="treegrid"
        aria-label="Steps"
        aria-rowcount={shown.rows}
        aria-busy={items.some((item) => !row(item.index)) || undefined}
        tabIndex={selection.index === null && shown.rows > 0 ? 0 : undefined}
        onFocus={(event) => {
          if (event.target === event.currentTarget) selection.stepTo(items[0]?.index ?? 0);
        }}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => {
          const one = row(item.index);
          const isSelected = one !== undefined && one.id === selection.task;
          // Two tasks can have one id; each row still needs a key of its own.
          const id = one?.id ?? `#${item.index}`;
          const key = seen.has(id) ? `${id} ${item.index}` : id;
          seen.add(id);
          return (
            <ListRow
              key={key}
              row={one}
              index={item.index}
              top={item.start - margin}
              measure={virtualizer.measureElement}
              mark={one && marks(one.id)}
              isSelected={isSelected}
              isOpen={isSelected && selection.isEditing}
              isDragged={dragged?.index === item.index}
              isWritable={outline.is_writable}
              selection={selection}
              editing={editing}
              onFix={props.onFix}
              onFindings={props.onFindings}
              editor={
                isSelected && selection.isEditing ? (
                  <Suspense fallback={<Loading lines={3} label="Opening the step" />}>
                    <TaskEditor
                      outline={outline}
                      task={one.id}
                      onClose={() => selection.edit(false)}
                    />
                  </Suspense>
                ) : undefined
              }
              adding={one && addingAt(props, one)}
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
        {dragged && gap ? `${dragged.row.id}: ${gapWords(gap, row)}` : ""}
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
    </DndContext>
  );
}

/** Where the row of an index begins; behind the last one, where the list ends. */
function topOf({ virtualizer }: RowWindow, index: number): number {
  const before = virtualizer.measurementsCache[index - 1];
  return before ? before.end + 2 : virtualizer.options.scrollMargin;
}

/** The line for a new step, under the row that it was asked for. */
function addingAt({ outline, rowWindow, editing }: RowListProps, row: Row) {
  const { adding } = editing;
  if (!adding || adding.at === "end" || adding.task !== row.id) return undefined;
  const { at, task } = adding;
  return (
    <AddTask
      key={`${at}/${task}`}
      plan={outline.plan}
      revision={rowWindow.shown.revision}
      placeKey={`${at}/${task}`}
      placeOf={async () => ({ at, task })}
      where={at === "after" ? `after ${task}` : `under ${task}`}
      onAdded={editing.onAdded}
      onClose={() => editing.setAdding(null)}
    />
  );
}
