/** A step as a box, and a group as a frame around its steps. Plain CSS, because the canvas can have hundreds of them. */
import { Handle, type HandleProps, type NodeProps, Position } from "@xyflow/react";
import { memo, useCallback } from "react";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { lookOf } from "../outline/StateIcon";
import type { StepNode } from "./flow";
import styles from "./GraphNode.module.css";
import { relationTo, useHighlight } from "./highlight";

/** The box's element id, for `aria-activedescendant`. */
export const boxId = (id: string) => `graph-step-${id}`;

/** Height of the line with icon and id, including its padding, in pixels. */
const headHeight = 34;
const lineHeight = 14;

export const StepBox = memo(function StepBox({ id, data, isConnectable }: NodeProps<StepNode>) {
  const { node, name } = data;
  const look = useBoxLook(id);
  const lines = Math.max(1, Math.floor((node.height - headHeight) / lineHeight));
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the canvas keeps focus, this is its active descendant
    <div
      id={boxId(id)}
      className={styles.box}
      role="button"
      aria-label={look.running ? `${name}, ${look.running}` : name}
      data-state={node.state}
      data-severity={node.severity ?? undefined}
      {...look.marks}
    >
      <Pin type="target" position={Position.Top} isConnectable={isConnectable} />
      {/* With this space, the visible text is exactly the start of the accessible name. */}
      <Head data={data} running={look.running} />{" "}
      <p className={styles.title} style={{ WebkitLineClamp: lines }} title={node.title}>
        <bdi>
          <Inline>{node.title || words.graph.untitled}</Inline>
        </bdi>
      </p>
      <Pin type="source" position={Position.Bottom} isConnectable={isConnectable} />
    </div>
  );
});

export const GroupFrame = memo(function GroupFrame({
  id,
  data,
  isConnectable,
}: NodeProps<StepNode>) {
  const { node, name } = data;
  const look = useBoxLook(id);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the canvas keeps focus, this is its active descendant
    <div
      id={boxId(id)}
      className={styles.frame}
      role="button"
      aria-label={look.running ? `${name}, ${look.running}` : name}
      data-state={node.state}
      data-severity={node.severity ?? undefined}
      {...look.marks}
    >
      <Pin type="target" position={Position.Top} isConnectable={isConnectable} />
      <div className={styles.band} title={node.title}>
        <Head data={data} running={look.running} />{" "}
        <p className={styles.bandTitle}>
          <bdi>
            <Inline>{node.title || words.graph.untitled}</Inline>
          </bdi>
        </p>
      </div>
      <Pin type="source" position={Position.Bottom} isConnectable={isConnectable} />
    </div>
  );
});

/** A handle: dependencies are drawn from and to it. */
function Pin(props: Pick<HandleProps, "type" | "position" | "isConnectable">) {
  return <Handle className={styles.handle} {...props} />;
}

function Head({ data, running }: { data: StepNode["data"]; running: string }) {
  const { node } = data;
  const row = {
    kind: node.kind,
    by: node.by,
    done: node.state === "done",
    skipped: node.state === "skipped" ? "" : null,
  };
  const { Icon, tone } = lookOf(row, running || undefined);
  return (
    <div className={styles.head}>
      <span className={styles.sign} data-tone={tone}>
        <Icon size={11} stroke={2} aria-hidden />
      </span>
      <span className={styles.id}>{node.id}</span>
      {node.findings > 0 && (
        <span
          className={styles.findings}
          data-count={node.findings}
          data-severity={node.severity ?? undefined}
        />
      )}
    </div>
  );
}

/** The parts of a box's appearance that change independently of its step: selection, relations, cycle, run. */
function useBoxLook(id: string) {
  const chosen = useHighlight(
    useCallback((highlight) => (highlight.chosen === id ? "yes" : ""), [id]),
  );
  const relation = useHighlight(useCallback((highlight) => relationTo(highlight, id), [id]));
  const cycle = useHighlight(
    useCallback((highlight) => (highlight.cycle.includes(id) ? "yes" : ""), [id]),
  );
  const running = useHighlight(useCallback((highlight) => highlight.states.get(id) ?? "", [id]));
  return {
    running,
    marks: {
      "data-chosen": chosen || undefined,
      "data-relation": relation || undefined,
      "data-circle": cycle || undefined,
    },
  };
}
