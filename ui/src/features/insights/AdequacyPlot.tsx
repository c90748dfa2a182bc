/** Plots score and risk over the revisions of one plan or all plans. Pointer or arrow keys select a point, which links to the history. The same numbers are in a table. */
import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import type { InsightPoint } from "../../api/bindings";
import { badgeWord } from "../../components/Shield";
import { shortRevision } from "../../lib/revision";
import { when } from "../../lib/time";
import { words } from "../../words";
import { showVersion } from "../history/showVersion";
import styles from "./Insights.module.css";
import {
  type Box,
  lineOf,
  nearest,
  seriesOf,
  thinUnder,
  thinWithReasonUnder,
  xOf,
  yOf,
} from "./plot";
import { useWidthOf } from "./useWidthOf";

const { adequacy: text, columns, authors } = words.insights;

const authorWord = (author: string) => authors[author] ?? author;

interface AdequacyPlotProps {
  /** The points, oldest first; at least one. */
  points: InsightPoint[];
  /** The number of older points that are left out. */
  more: number;
}

const height = 230;
const marks = [0, 25, 50, 75, 100];

export function AdequacyPlot({ points, more }: AdequacyPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidthOf(frame, 720);
  const box: Box = { width, height, left: 32, right: 12, top: 10, bottom: 14 };
  const [selected, setSelected] = useState<number | null>(null);
  const at = Math.min(selected ?? points.length - 1, points.length - 1);
  const point = points[at];
  const series = useMemo(() => seriesOf(points), [points]);
  if (!point) return null;
  const shown = points.length;

  const select = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setSelected(nearest(points, event.clientX - left, event.clientY - top, box));
  };
  const open = () => showVersion(point.plan, point.revision);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 10,
      PageUp: at + 10,
      Home: 0,
      End: shown - 1,
    }[event.key];
    if (to !== undefined) setSelected(Math.max(0, Math.min(shown - 1, to)));
    else if (event.key === "Enter") open();
    else return;
    event.preventDefault();
  };
  const y = (value: number) => yOf(value, box);
  const right = width - box.right;

  return (
    <div className={styles.plot}>
      <p className={styles.legend} aria-hidden>
        <span data-line="score">{text.score}</span>
        <span data-line="risk">{text.risk}</span>
        <span data-line="thin">{text.tooThin}</span>
      </p>
      <div
        ref={frame}
        className={styles.canvas}
        role="slider"
        tabIndex={0}
        aria-label={text.label}
        aria-valuemin={1}
        aria-valuemax={shown}
        aria-valuenow={at + 1}
        aria-valuetext={pointWords(point)}
        aria-describedby="insights-plot-keys"
        onKeyDown={onKeyDown}
      >
        <svg
          width={width}
          height={height}
          aria-hidden
          onPointerMove={select}
          onPointerDown={select}
          onDoubleClick={open}
        >
          <rect
            className={styles.thin}
            x={box.left}
            width={right - box.left}
            y={y(thinUnder)}
            height={y(0) - y(thinUnder)}
          />
          <rect
            className={styles.nearlyThin}
            x={box.left}
            width={right - box.left}
            y={y(thinWithReasonUnder)}
            height={y(thinUnder) - y(thinWithReasonUnder)}
          />
          {marks.map((mark) => (
            <g key={mark}>
              <line className={styles.grid} x1={box.left} x2={right} y1={y(mark)} y2={y(mark)} />
              <text className={styles.tick} x={box.left - 7} y={y(mark) + 4} textAnchor="end">
                {mark}
              </text>
            </g>
          ))}
          <text className={styles.zone} x={right - 6} y={y(0) - 6} textAnchor="end">
            {text.tooThin}
          </text>
          <text className={styles.nearZone} x={right - 6} y={y(thinUnder) - 6} textAnchor="end">
            {text.tooThinWithFinding}
          </text>
          {series.map((one) => (
            <g key={one.plan} data-quiet={one.plan !== point.plan || undefined}>
              <path
                className={styles.risk}
                d={lineOf(one.at, (i) => points[i]?.risk ?? 0, shown, box)}
              />
              <path
                className={styles.score}
                d={lineOf(one.at, (i) => points[i]?.score ?? 0, shown, box)}
              />
              {one.at.map((i) => (
                <circle
                  key={i}
                  className={styles.dot}
                  data-thin={points[i]?.is_too_thin || undefined}
                  cx={xOf(i, shown, box)}
                  cy={y(points[i]?.score ?? 0)}
                  r={shown > 120 ? 1.5 : 3}
                />
              ))}
            </g>
          ))}
          <line
            className={styles.looked}
            x1={xOf(at, shown, box)}
            x2={xOf(at, shown, box)}
            y1={y(100)}
            y2={y(0)}
          />
          <circle
            className={styles.lookedDot}
            data-thin={point.is_too_thin || undefined}
            cx={xOf(at, shown, box)}
            cy={y(point.score)}
            r={5}
          />
        </svg>
      </div>
      <div className={styles.point}>
        <p>
          <strong>
            {badgeWord(point.badge)} · {point.score}
          </strong>{" "}
          <span className={styles.dim}>
            {text.riskAndSteps(point.risk, point.tasks)} · {when(point.at_ms)} ·{" "}
            {authorWord(point.author)} · <code>{shortRevision(point.revision)}</code> ·{" "}
            <bdi>{point.path}</bdi>
          </span>
        </p>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconHistory size={13} aria-hidden />}
          onClick={open}
        >
          {text.showInHistory}
        </Button>
      </div>
      <p id="insights-plot-keys" className={styles.dim}>
        {text.help}
        {more > 0 && ` ${text.notShown(more)}`}
      </p>
      <PointTable points={points} />
    </div>
  );
}

function pointWords(point: InsightPoint): string {
  return text.point({
    badge: badgeWord(point.badge),
    score: point.score,
    risk: point.risk,
    steps: point.tasks,
    when: when(point.at_ms),
    revision: shortRevision(point.revision),
    path: point.path,
  });
}

function PointTable({ points }: { points: InsightPoint[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.asTable} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.asTable}</summary>
      {isOpen && (
        <div className={styles.scroll} role="group" aria-label={text.table} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{columns.when}</th>
                <th scope="col">{columns.plan}</th>
                <th scope="col">{columns.revision}</th>
                <th scope="col">{columns.by}</th>
                <th scope="col">{columns.badge}</th>
                <th scope="col" data-number>
                  {columns.score}
                </th>
                <th scope="col" data-number>
                  {columns.risk}
                </th>
                <th scope="col" data-number>
                  {columns.steps}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map((point, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a revision can be scored twice
                <tr key={`${point.plan} ${point.revision} ${at}`}>
                  <td>{when(point.at_ms)}</td>
                  <td>
                    <bdi>{point.path}</bdi>
                  </td>
                  <td>
                    <button
                      type="button"
                      className={styles.link}
                      aria-label={text.showRevision(shortRevision(point.revision))}
                      onClick={() => showVersion(point.plan, point.revision)}
                    >
                      {shortRevision(point.revision)}
                    </button>
                  </td>
                  <td>{authorWord(point.author)}</td>
                  <td>
                    {badgeWord(point.badge)}
                    {point.is_too_thin && point.badge !== "thin" && `, ${text.tooThin}`}
                  </td>
                  <td data-number>{point.score}</td>
                  <td data-number>{point.risk}</td>
                  <td data-number>{point.tasks}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
