/** Converts gaps and depths in the list to the places used in edits. Reads rows one by one, because neighbors may not be loaded. */
import type { Row, TaskPlace } from "../../api/bindings";

export type ReadRow = (index: number) => Promise<Row | undefined>;

/** An edit that moves a step. */
export interface Move {
  task: string;
  place: TaskPlace;
}

/** A gap before the row with this index, at this depth. */
export interface Gap {
  index: number;
  depth: number;
}

/** The index after the last descendant. */
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

/** The ancestor at `depth` of the row at this index, or the row itself if it is at that depth. */
async function ancestorAt(read: ReadRow, index: number, depth: number): Promise<Row | undefined> {
  for (let at = index; at >= 0; at -= 1) {
    const row = await read(at);
    if (row && row.depth <= depth) return row;
  }
  return undefined;
}

/** The index of the previous sibling, if any. */
async function previousSibling(read: ReadRow, index: number): Promise<number | null> {
  const row = await read(index);
  if (!row) return null;
  for (let at = index - 1; at >= 0; at -= 1) {
    const other = await read(at);
    if (!other || other.depth < row.depth) return null;
    if (other.depth === row.depth) return at;
  }
  return null;
}

/** The move of a step past its next sibling; `null` if it has none. */
export async function moveDown(read: ReadRow, index: number): Promise<Move | null> {
  const row = await read(index);
  const next = await read(await endOf(read, index));
  if (!row || !next || next.depth !== row.depth) return null;
  return { task: row.id, place: { at: "after", task: next.id } };
}

/** The move of a step past its previous sibling; `null` if it has none. */
export async function moveUp(read: ReadRow, index: number): Promise<Move | null> {
  const row = await read(index);
  const above = await previousSibling(read, index);
  if (!row || above === null) return null;
  const beyond = await previousSibling(read, above);
  if (beyond !== null) {
    const target = await read(beyond);
    return target ? { task: row.id, place: { at: "after", task: target.id } } : null;
  }
  if (row.depth === 0) return { task: row.id, place: { at: "first" } };
  const first = await read(above);
  return first ? { task: row.id, place: { at: "before", task: first.id } } : null;
}

/** The depths allowed between two rows: minimum and maximum. */
export function depthsBetween(above: Row | undefined, below: Row | undefined): [number, number] {
  if (!above) return [0, 0];
  const deepest = above.depth + 1;
  return [Math.min(below?.depth ?? 0, deepest), deepest];
}

/** The move of the step at `from` into a gap; `null` if that changes nothing or is inside the step. */
export async function moveTo(read: ReadRow, from: number, gap: Gap): Promise<Move | null> {
  const row = await read(from);
  if (!row) return null;
  const end = await endOf(read, from);
  if (gap.index > from && gap.index < end) return null;
  const isHere = gap.index === from || gap.index === end;
  if (isHere && gap.depth === row.depth) return null;
  // The row above the gap, not counting the moved step.
  const aboveIndex = (gap.index === end ? from : gap.index) - 1;
  const above = aboveIndex >= 0 ? await read(aboveIndex) : undefined;
  if (!above) return { task: row.id, place: { at: "first" } };
  if (gap.depth > above.depth) {
    // Directly below a step with sub-steps, it becomes the first of them.
    const first = gap.index === end ? undefined : await read(gap.index);
    if (first?.depth === above.depth + 1 && first.id !== row.id)
      return { task: row.id, place: { at: "before", task: first.id } };
    return { task: row.id, place: { at: "under", task: above.id } };
  }
  const target = await ancestorAt(read, aboveIndex, gap.depth);
  if (!target) return { task: row.id, place: { at: "first" } };
  return { task: row.id, place: { at: "after", task: target.id } };
}

/** The place at the end of the plan. */
export async function lastPlace(read: ReadRow, count: number): Promise<TaskPlace> {
  const last = count > 0 ? await ancestorAt(read, count - 1, 0) : undefined;
  return last ? { at: "after", task: last.id } : { at: "first" };
}
