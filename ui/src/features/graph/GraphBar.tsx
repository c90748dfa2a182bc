/** The strip below the canvas: ready steps, the relations of the selected step, and the buttons of the canvas. */
import {
  IconArrowsMaximize,
  IconLinkPlus,
  IconScissors,
  IconZoomIn,
  IconZoomOut,
} from "@tabler/icons-react";
import { memo } from "react";
import { IconButton } from "../../components/IconButton";
import { words } from "../../words";
import styles from "./Graph.module.css";
import { type GraphIndex, readySteps, relationWords } from "./graphIndex";

const maxCycleSteps = 10;

/** The cycle as text. Arrows point as on the canvas: from a dependency to its dependent. */
function cycleText(cycle: string[]): string {
  const beginning = cycle.slice(0, maxCycleSteps);
  const rest = cycle.length > maxCycleSteps ? ["…"] : [];
  return [...beginning, ...rest, cycle[0]].join(" ← ");
}

const maxReadySteps = 5;

interface GraphBarProps {
  index: GraphIndex;
  /** The hovered step, or else the selected one. */
  about: string | null;
  selected: string | null;
  cycle: string[];
  more: number;
  isWritable: boolean;
  onSelect: (task: string) => void;
  onConnect: () => void;
  onCut: () => void;
  onZoom: (by: 1 | -1) => void;
  onFit: () => void;
}

export const GraphBar = memo(function GraphBar(props: GraphBarProps) {
  const { index, about, selected, cycle, more } = props;
  const text = words.graph.bar;
  const ready = readySteps(index);
  const node = about ? index.node.get(about) : undefined;
  return (
    <div className={styles.bar}>
      <div className={styles.words}>
        <span>
          {ready.length === 0 ? text.noneReady : `${text.ready} `}
          {ready.slice(0, maxReadySteps).map((step) => (
            <button
              key={step.id}
              type="button"
              className={styles.ready}
              title={step.title}
              aria-label={text.select(step.id, step.title)}
              onClick={() => props.onSelect(step.id)}
            >
              {step.id}
            </button>
          ))}
          {ready.length > maxReadySteps && (
            <span> {text.moreReady(ready.length - maxReadySteps)}</span>
          )}
        </span>
        {node && (
          <span className={styles.about}>
            <span className={styles.mono}>{node.id}</span> {relationWords(index, node.id)}
          </span>
        )}
        {cycle.length > 0 && (
          <span className={styles.circle} role="status">
            {text.cycle} <span className={styles.mono}>{cycleText(cycle)}</span>
          </span>
        )}
        {more > 0 && <span className={styles.about}>{text.notDrawn(more)}</span>}
      </div>
      <div className={styles.buttons}>
        {props.isWritable && (
          <>
            <IconButton
              label={text.connect}
              keys="d"
              disabled={!selected}
              onClick={props.onConnect}
            >
              <IconLinkPlus size={16} />
            </IconButton>
            <IconButton
              label={text.removeDependency}
              keys="x"
              disabled={!selected}
              onClick={props.onCut}
            >
              <IconScissors size={16} />
            </IconButton>
          </>
        )}
        <IconButton label={text.zoomOut} keys="-" onClick={() => props.onZoom(-1)}>
          <IconZoomOut size={16} />
        </IconButton>
        <IconButton label={text.zoomIn} keys="+" onClick={() => props.onZoom(1)}>
          <IconZoomIn size={16} />
        </IconButton>
        <IconButton label={text.fit} keys="f" onClick={props.onFit}>
          <IconArrowsMaximize size={16} />
        </IconButton>
      </div>
    </div>
  );
});
