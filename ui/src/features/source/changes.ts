/** Text diff and three-way merge, by line. A diff is a few small replacements, so that cursor, scroll position and folds stay where they are. */

/** A replacement in a text. Offsets are UTF-16 code units of the old text; replacements are in ascending order and don't overlap. */
export interface Replacement {
  from: number;
  to: number;
  insert: string;
}

/** A range of old lines, `to` excluded, and the lines that replace them. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** Maximum number of edits. With more, the diff would take too long, so everything between the first and the last difference is replaced. */
const maxSteps = 400;

/** Splits a text into lines with their line breaks, so that joining them restores the text. */
function toLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
}

/** The shortest edit script from one list of lines to another (Myers), or a single hunk if it would be too long. */
function hunksOf(old: string[], next: string[]): Hunk[] {
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let oldEnd = old.length;
  let nextEnd = next.length;
  while (oldEnd > start && nextEnd > start && old[oldEnd - 1] === next[nextEnd - 1]) {
    oldEnd -= 1;
    nextEnd -= 1;
  }
  if (start === oldEnd && start === nextEnd) return [];
  const whole = [{ from: start, to: oldEnd, lines: next.slice(start, nextEnd) }];
  const height = oldEnd - start;
  const width = nextEnd - start;
  if (height === 0 || width === 0) return whole;
  const max = Math.min(height + width, maxSteps);

  // `reach[k]` is the furthest row reached on diagonal k. Each round is kept to trace the path back.
  const rounds: Int32Array[] = [];
  const reach = new Int32Array(2 * max + 3);
  const middle = max + 1;
  const at = (k: number) => reach[middle + k] ?? 0;
  let steps = 0;
  let isFound = false;
  for (; steps <= max && !isFound; steps += 1) {
    rounds.push(reach.slice());
    for (let k = -steps; k <= steps; k += 2) {
      const goesRight = k === -steps || (k !== steps && at(k - 1) < at(k + 1));
      let down = goesRight ? at(k + 1) : at(k - 1) + 1;
      let right = down - k;
      while (down < height && right < width && old[start + down] === next[start + right]) {
        down += 1;
        right += 1;
      }
      reach[middle + k] = down;
      if (down >= height && right >= width) isFound = true;
    }
  }
  if (!isFound) return whole;

  const hunks: Hunk[] = [];
  let down = height;
  let right = width;
  for (let round = steps - 1; round > 0; round -= 1) {
    const before = rounds[round] ?? reach;
    const was = (k: number) => before[middle + k] ?? 0;
    const k = down - right;
    const goesRight = k === -round || (k !== round && was(k - 1) < was(k + 1));
    const fromDown = goesRight ? was(k + 1) : was(k - 1);
    const fromRight = fromDown - (goesRight ? k + 1 : k - 1);
    const first = hunks[0];
    const place = start + fromDown;
    const end = goesRight ? place : place + 1;
    const added = goesRight ? [next[start + fromRight] ?? ""] : [];
    if (first && first.from === end) {
      first.from = place;
      first.lines.unshift(...added);
    } else {
      hunks.unshift({ from: place, to: end, lines: added });
    }
    down = fromDown;
    right = fromRight;
  }
  return hunks;
}

const isLowSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Trims the common start and end, without splitting a surrogate pair. */
function trimmed(from: number, old: string, next: string): Replacement {
  let start = 0;
  const shorter = Math.min(old.length, next.length);
  while (start < shorter && old.charCodeAt(start) === next.charCodeAt(start)) start += 1;
  if (start > 0 && (isLowSurrogate(old, start) || isLowSurrogate(next, start))) start -= 1;
  let end = 0;
  while (
    end < shorter - start &&
    old.charCodeAt(old.length - 1 - end) === next.charCodeAt(next.length - 1 - end)
  ) {
    end += 1;
  }
  if (end > 0 && isLowSurrogate(old, old.length - end)) end -= 1;
  return {
    from: from + start,
    to: from + old.length - end,
    insert: next.slice(start, next.length - end),
  };
}

/** The replacements that turn `old` into `next`; none if they are equal. */
export function smallChanges(old: string, next: string): Replacement[] {
  if (old === next) return [];
  const lines = toLines(old);
  const changes: Replacement[] = [];
  let line = 0;
  let offset = 0;
  for (const hunk of hunksOf(lines, toLines(next))) {
    while (line < hunk.from) {
      offset += lines[line]?.length ?? 0;
      line += 1;
    }
    changes.push(trimmed(offset, lines.slice(hunk.from, hunk.to).join(""), hunk.lines.join("")));
  }
  return changes;
}

/** Whose lines to keep where both sides changed them. `both` keeps mine, then theirs. */
export type Side = "mine" | "theirs" | "both";

export interface Merged {
  text: string;
  /** The number of places that the two sides changed differently. */
  conflicts: number;
}

/** Merges two changes of one text. Where both changed the same lines, `side` decides which are kept; all other changes are kept. */
export function merge(base: string, mine: string, theirs: string, side: Side): Merged {
  const lines = toLines(base);
  const left = hunksOf(lines, toLines(mine));
  const right = hunksOf(lines, toLines(theirs));
  const out: string[] = [];
  let conflicts = 0;
  let at = 0;
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const one = left[i];
    const other = right[j];
    const isAlone = !one || !other || !touch(one, other);
    if (isAlone) {
      const first = !other || (one && one.from < other.from) ? one : other;
      if (!first) break;
      if (first === one) i += 1;
      else j += 1;
      push(out, lines.slice(at, first.from));
      push(out, first.lines);
      at = first.to;
      continue;
    }
    // Overlapping changes count as one place.
    let from = Math.min(one.from, other.from);
    let to = Math.max(one.to, other.to);
    const mineHere: Hunk[] = [one];
    const theirsHere: Hunk[] = [other];
    i += 1;
    j += 1;
    for (let grew = true; grew; ) {
      grew = false;
      const nextMine = left[i];
      const nextTheirs = right[j];
      if (nextMine && nextMine.from < to) {
        mineHere.push(nextMine);
        to = Math.max(to, nextMine.to);
        i += 1;
        grew = true;
      }
      if (nextTheirs && nextTheirs.from < to) {
        theirsHere.push(nextTheirs);
        to = Math.max(to, nextTheirs.to);
        j += 1;
        grew = true;
      }
    }
    from = Math.max(from, at);
    push(out, lines.slice(at, from));
    const my = within(lines, from, to, mineHere);
    const their = within(lines, from, to, theirsHere);
    if (my.join("") === their.join("")) {
      push(out, my);
    } else {
      conflicts += 1;
      if (side !== "theirs") push(out, my);
      if (side !== "mine") push(out, their);
    }
    at = to;
  }
  push(out, lines.slice(at));
  return { text: out.join(""), conflicts };
}

function touch(one: Hunk, other: Hunk): boolean {
  return one.from === other.from || (one.from < other.to && other.from < one.to);
}

/** The lines of one side in a range. */
function within(lines: string[], from: number, to: number, hunks: Hunk[]): string[] {
  const out: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    push(out, lines.slice(at, hunk.from));
    push(out, hunk.lines);
    at = hunk.to;
  }
  push(out, lines.slice(at, to));
  return out;
}

/** Appends lines; a last line without a line break gets one first. */
function push(out: string[], added: string[]): void {
  if (added.length === 0) return;
  const last = out.at(-1);
  if (last !== undefined && !last.endsWith("\n")) out[out.length - 1] = `${last}\n`;
  for (const line of added) out.push(line);
}
