/** Where a task can go: gaps between rows and depths turned into the places that an edit can name. Reads rows one by one, because neighbours may not be on screen. */
import type { Row, TaskPlace } from "../../api/bindings";

export type ReadRow = (index: number) => Promise<Row | undefined>;

/** One edit: this task goes to this place. */
export interface Move {
  task: string;
  place: TaskPlace;
}

/** A gap: before the row of this index, at this depth. */
export interface Gap {
  index: number;
  depth: number;
}

/** The index behind a task's last sub-task. */
export async function endOf(read: ReadRow, index: number): Promise<number> {
  const top = await read(index);
  if (!top) return index;
  let at = index + 1;
  for (;;) {
    const row = await read(at);
    if (!row || row.depth <= top.depth) return at;
    at += 1;
  }
}

/** The row at `depth` that holds the row of this index, or that row itself. */
async function holderAt(read: ReadRow, index: number, depth: number): Promise<Row | undefined> {
  for (let at = index; at >= 0; at -= 1) {
    const row = await read(at);
    if (row && row.depth <= depth) return row;
  }
  return undefined;
}

/** The index of the sibling above, if there is one. */
async function siblingAbove(read: ReadRow, index: number): Promise<number | null> {
  const row = await read(index);
  if (!row) return null;
  for (let at = index - 1; at >= 0; at -= 1) {
    const other = await read(at);
    if (!other || other.depth < row.depth) return null;
    if (other.depth === row.depth) return at;
  }
  return null;
}

/** Past the sibling below; `null` when it is the last one. */
export async function moveDown(read: ReadRow, index: number): Promise<Move | null> {
  const row = await read(index);
  const next = await read(await endOf(read, index));
  if (!row || !next || next.depth !== row.depth) return null;
  return { task: row.id, place: { at: "after", task: next.id } };
}

/** Past the sibling above; `null` when it is the first one. */
export async function moveUp(read: ReadRow, index: number): Promise<Move | null> {
  const row = await read(index);
  const above = await siblingAbove(read, index);
  if (!row || above === null) return null;
  const beyond = await siblingAbove(read, above);
  if (beyond !== null) {
    const holder = await read(beyond);
    return holder ? { task: row.id, place: { at: "after", task: holder.id } } : null;
  }
  if (row.depth === 0) return { task: row.id, place: { at: "first" } };
  const first = await read(above);
  return first ? { task: row.id, place: { at: "before", task: first.id } } : null;
}

/** The depths at which something can stand between two rows. */
export function depthsBetween(above: Row | undefined, below: Row | undefined): [number, number] {
  if (!above) return [0, 0];
  const deepest = above.depth + 1;
  return [Math.min(below?.depth ?? 0, deepest), deepest];
}

/** The edit that brings the task at `from` into a gap; `null` when it would stay where it is or go into itself. */
export async function moveTo(read: ReadRow, from: number, gap: Gap): Promise<Move | null> {
  const row = await read(from);
  if (!row) return null;
  const end = await endOf(read, from);
  if (gap.index > from && gap.index < end) return null;
  const isHere = gap.index === from || gap.index === end;
  if (isHere && gap.depth === row.depth) return null;
  // What stands above the gap once the task is taken out of it.
  const aboveIndex = (gap.index === end ? from : gap.index) - 1;
  const above = aboveIndex >= 0 ? await read(aboveIndex) : undefined;
  if (!above) return { task: row.id, place: { at: "first" } };
  if (gap.depth > above.depth) {
    // Directly below a task with sub-tasks it becomes the first of them.
    const first = gap.index === end ? undefined : await read(gap.index);
    if (first?.depth === above.depth + 1 && first.id !== row.id)
      return { task: row.id, place: { at: "before", task: first.id } };
    return { task: row.id, place: { at: "under", task: above.id } };
  }
  const holder = await holderAt(read, aboveIndex, gap.depth);
  if (!holder) return { task: row.id, place: { at: "first" } };
  return { task: row.id, place: { at: "after", task: holder.id } };
}

/** The place at the end of the plan. */
export async function lastPlace(read: ReadRow, count: number): Promise<TaskPlace> {
  const last = count > 0 ? await holderAt(read, count - 1, 0) : undefined;
  return last ? { at: "after", task: last.id } : { at: "first" };
}
