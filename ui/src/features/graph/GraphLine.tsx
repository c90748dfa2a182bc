/** A dependency as a line with an arrowhead. The line of a decision's branch shows the option. */
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo, useCallback } from "react";
import { words } from "../../words";
import type { LineEdge } from "./flow";
import styles from "./GraphLine.module.css";
import { lineLook, useHighlight } from "./highlight";

/** Width of the area around a line that reacts to the pointer, in pixels. */
const reach = 16;

export const GraphLine = memo(function GraphLine(props: EdgeProps<LineEdge>) {
  const { id, source, target, data } = props;
  const look = useHighlight(
    useCallback((highlight) => lineLook(highlight, id, source, target), [id, source, target]),
  );
  const [path, labelX, labelY] = getBezierPath(props);
  const label = data?.edge.label;
  return (
    <>
      <BaseEdge
        // WebKit keeps the old arrowhead if only the reference to it changes.
        key={look}
        path={path}
        interactionWidth={reach}
        className={styles.line}
        data-kind={data?.edge.kind}
        data-look={look}
        markerEnd={`url(#pw-arrow-${look})`}
      />
      {label && (
        <EdgeLabelRenderer>
          <span
            className={styles.label}
            data-look={look}
            title={label}
            aria-hidden
            style={{
              transform: `translate(-50%, -50%) translate(${labelX}px, ${labelY}px)`,
            }}
          >
            <bdi>{label}</bdi>
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

const looks = ["plain", "up", "down", "chosen", "circle"];

/** The arrowheads, one for each style of line, because a marker doesn't inherit the line's color. */
export function ArrowHeads() {
  return (
    <svg className={styles.heads} aria-hidden>
      <title>{words.graph.canvas.arrowheads}</title>
      <defs>
        {looks.map((look) => (
          <marker
            key={look}
            id={`pw-arrow-${look}`}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M1 1.5 9 5 1 8.5z" className={styles.head} data-look={look} />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
