/** Maps between rows and lines of a filtered outline. A "row" is an index in the plan, a "line" an index in the list on screen. */

/** A range of rows: the first one, and the one after the last. */
export type RowRange = readonly [number, number];

export interface Order {
  /** Number of lines. */
  lines: number;
  rowOf: (line: number) => number;
  /** The line of a row; `null` if it is hidden. */
  lineOf: (row: number) => number | null;
  /** Converts a gap between rows to the corresponding gap between lines. */
  gapOf: (row: number) => number;
  /** Converts a gap between lines to one between rows: before the next visible row, or at the end. */
  rowGapOf: (line: number) => number;
}

/**
 * @param ranges the visible rows
 * @param rows the number of rows in the plan
 */
export function orderOf(ranges: readonly RowRange[], rows: number): Order {
  const starts: number[] = [];
  let lines = 0;
  for (const [from, to] of ranges) {
    starts.push(lines);
    lines += to - from;
  }
  /** The last range that starts at or before a value. */
  const find = (value: number, begin: (at: number) => number): number => {
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begin(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const rowOf = (line: number): number => {
    const at = find(line, (one) => starts[one] ?? 0);
    return (ranges[at]?.[0] ?? 0) + line - (starts[at] ?? 0);
  };
  const gapOf = (row: number): number => {
    const at = find(row, (one) => ranges[one]?.[0] ?? 0);
    const range = ranges[at];
    if (!range) return 0;
    return (starts[at] ?? 0) + Math.min(row, range[1]) - range[0];
  };
  return {
    lines,
    rowOf,
    gapOf,
    lineOf: (row) => {
      const range = ranges[find(row, (one) => ranges[one]?.[0] ?? 0)];
      return range && row < range[1] ? gapOf(row) : null;
    },
    rowGapOf: (line) => (line < lines ? rowOf(line) : rows),
  };
}
