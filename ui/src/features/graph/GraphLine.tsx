/** What waits for what, as a line with an arrow; the line of a decision's option carries the option's words. */
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo, useCallback } from "react";
import type { LineEdge } from "./flow";
import styles from "./GraphLine.module.css";
import { lineLook, useLit } from "./lit";

/** How near a line the pointer counts as on it, in pixels. */
const reach = 16;

export const GraphLine = memo(function GraphLine(props: EdgeProps<LineEdge>) {
  const { id, source, target, data } = props;
  const look = useLit(
    useCallback((lit) => lineLook(lit, id, source, target), [id, source, target]),
  );
  const [path, labelX, labelY] = getBezierPath(props);
  const label = data?.edge.label;
  return (
    <>
      <BaseEdge
        // WebKit keeps the old arrow head where only the reference to it changes.
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

/** The arrow heads, one for each look: a head does not take its line's colour by itself. */
export function ArrowHeads() {
  return (
    <svg className={styles.heads} aria-hidden>
      <title>Arrow heads</title>
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
