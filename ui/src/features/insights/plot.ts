/** Geometry of the adequacy plot: coordinates, series and hit testing. Pure functions. */
import type { InsightPoint } from "../../api/bindings";

export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Score below which a plan is too thin. */
export const thinUnder = 58;
/** Score below which a plan is too thin if it has a finding about the whole plan. */
export const thinWithReasonUnder = 82;

/** The x coordinate of the point at this index. */
export function xOf(at: number, count: number, { width, left, right }: Box): number {
  const room = width - left - right;
  return count < 2 ? left + room / 2 : left + (room * at) / (count - 1);
}

/** The y coordinate of a value; 100 is at the top. */
export function yOf(value: number, { height, top, bottom }: Box): number {
  const held = Math.max(0, Math.min(100, value));
  return top + (height - top - bottom) * (1 - held / 100);
}

export interface Series {
  plan: string;
  path: string;
  /** The indexes of the series' points. */
  at: number[];
}

/** One series for each plan, ordered by first point. */
export function seriesOf(points: InsightPoint[]): Series[] {
  const found = new Map<string, Series>();
  points.forEach(({ plan, path }, at) => {
    const one = found.get(plan) ?? { plan, path, at: [] };
    one.path = path;
    one.at.push(at);
    found.set(plan, one);
  });
  return [...found.values()];
}

/** The line through these points, as an SVG path. */
export function lineOf(
  at: number[],
  value: (at: number) => number,
  count: number,
  box: Box,
): string {
  return at
    .map((one, i) => {
      const x = xOf(one, count, box).toFixed(1);
      return `${i === 0 ? "M" : "L"}${x} ${yOf(value(one), box).toFixed(1)}`;
    })
    .join(" ");
}

/** The index of the point nearest to a position; horizontal distance counts most. */
export function nearest(points: InsightPoint[], x: number, y: number, box: Box): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  points.forEach(({ score }, at) => {
    const far = Math.abs(xOf(at, points.length, box) - x) + 0.01 * Math.abs(yOf(score, box) - y);
    if (far < least) {
      least = far;
      best = at;
    }
  });
  return best;
}
