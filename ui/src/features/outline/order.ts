/** Which rows of a plan the outline shows, and in which place: runs of rows that a filter leaves, turned into a mapping both ways. "Row" is the place in the plan, "line" the place in the list on screen. */

/** First row, and one behind the last. */
export type Run = readonly [number, number];

export interface Order {
  /** How many lines there are. */
  lines: number;
  /** The row of a line. */
  rowOf: (line: number) => number;
  /** The line of a row; `null` when it is not shown. */
  lineOf: (row: number) => number | null;
  /** The gap between lines above which a gap between rows is drawn. */
  gapOf: (row: number) => number;
  /** The gap between rows that a gap between lines means: before the next row that is shown, else behind all. */
  rowGapOf: (line: number) => number;
}

/** @param rows how many rows the plan has */
export function orderOf(runs: readonly Run[], rows: number): Order {
  const starts: number[] = [];
  let lines = 0;
  for (const [from, to] of runs) {
    starts.push(lines);
    lines += to - from;
  }
  /** The last run that begins at or before a value. */
  const find = (value: number, begin: (at: number) => number): number => {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begin(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const rowOf = (line: number): number => {
    const at = find(line, (one) => starts[one] ?? 0);
    return (runs[at]?.[0] ?? 0) + line - (starts[at] ?? 0);
  };
  const gapOf = (row: number): number => {
    const at = find(row, (one) => runs[one]?.[0] ?? 0);
    const run = runs[at];
    if (!run) return 0;
    return (starts[at] ?? 0) + Math.min(row, run[1]) - run[0];
  };
  return {
    lines,
    rowOf,
    gapOf,
    lineOf: (row) => {
      const run = runs[find(row, (one) => runs[one]?.[0] ?? 0)];
      return run && row < run[1] ? gapOf(row) : null;
    },
    rowGapOf: (line) => (line < lines ? rowOf(line) : rows),
  };
}
