/** The strip under the canvas: what can run next, what the chosen step waits for and unblocks, and the canvas' own buttons. */
import {
  IconArrowsMaximize,
  IconLinkPlus,
  IconScissors,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { memo } from "react";
import { IconButton } from "../../components/IconButton";
import styles from "./Graph.module.css";
import { readySteps, relationWords, type Ways } from "./ways";

/** Steps of a circle that are named. */
const told = 10;

/** As the lines on the canvas point: from what is waited for to what waits. */
function circleWords(circle: string[]): string {
  const beginning = circle.slice(0, told);
  const rest = circle.length > told ? ["…"] : [];
  return [...beginning, ...rest, circle[0]].join(" ← ");
}

/** Ready steps that are named. */
const named = 5;

interface GraphBarProps {
  ways: Ways;
  /** The step that is pointed at or selected. */
  about: string | null;
  selected: string | null;
  circle: string[];
  more: number;
  isWritable: boolean;
  onSelect: (task: string) => void;
  onConnect: () => void;
  onCut: () => void;
  onZoom: (by: 1 | -1) => void;
  onFit: () => void;
}

export const GraphBar = memo(function GraphBar(props: GraphBarProps) {
  const { ways, about, selected, circle, more } = props;
  const ready = readySteps(ways);
  const node = about ? ways.node.get(about) : undefined;
  return (
    <div className={styles.bar}>
      <div className={styles.words}>
        <span>
          {ready.length === 0 ? "Nothing is ready" : "Ready: "}
          {ready.slice(0, named).map((step) => (
            <button
              key={step.id}
              type="button"
              className={styles.ready}
              title={step.title}
              aria-label={`Select ${step.id}, ${step.title}`}
              onClick={() => props.onSelect(step.id)}
            >
              {step.id}
            </button>
          ))}
          {ready.length > named && <span> and {ready.length - named} more</span>}
        </span>
        {node && (
          <span className={styles.about}>
            <span className={styles.mono}>{node.id}</span> {relationWords(ways, node.id)}
          </span>
        )}
        {circle.length > 0 && (
          <span className={styles.circle} role="status">
            Refused, this would be a circle:{" "}
            <span className={styles.mono}>{circleWords(circle)}</span>
          </span>
        )}
        {more > 0 && (
          <span className={styles.about}>
            {more} more {more === 1 ? "step is" : "steps are"} not drawn: the outline has all.
          </span>
        )}
      </div>
      <div className={styles.buttons}>
        {props.isWritable && (
          <>
            <IconButton
              label="Let a step wait for the selected one"
              keys="d"
              disabled={!selected}
              onClick={props.onConnect}
            >
              <IconLinkPlus size={16} />
            </IconButton>
            <IconButton
              label="Cut a line of the selected step"
              keys="x"
              disabled={!selected}
              onClick={props.onCut}
            >
              <IconScissors size={16} />
            </IconButton>
          </>
        )}
        <IconButton label="Zoom out" keys="-" onClick={() => props.onZoom(-1)}>
          <IconZoomOut size={16} />
        </IconButton>
        <IconButton label="Zoom in" keys="+" onClick={() => props.onZoom(1)}>
          <IconZoomIn size={16} />
        </IconButton>
        <IconButton label="Show the whole graph" keys="f" onClick={props.onFit}>
          <IconArrowsMaximize size={16} />
        </IconButton>
      </div>
    </div>
  );
});
