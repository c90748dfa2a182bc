/** What a step did, one line for each call and check: picture, words, what came of it. Long ones show their newest; output opens on demand. */
import {
  IconAlertTriangle,
  IconArrowFork,
  IconArrowsSplit,
  IconCheck,
  IconEye,
  IconFileText,
  IconFolder,
  IconPencil,
  IconPlayerPlay,
  IconSearch,
  IconSignature,
  IconTerminal2,
  IconTool,
  IconTrash,
} from "@tabler/icons-react";
import { type ComponentType, useState } from "react";
import type { StepAction } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { outputText } from "../../components/exactText";
import styles from "./Timeline.module.css";
import { duration } from "./words";

/** How many actions are shown before the rest is asked for. */
const shownAtFirst = 8;

const icons: Record<string, ComponentType<{ size?: number; stroke?: number }>> = {
  read_file: IconFileText,
  search_files: IconSearch,
  list_files: IconFolder,
  edit_file: IconPencil,
  write_file: IconPencil,
  delete_file: IconTrash,
  run_command: IconTerminal2,
  git_status: IconEye,
};

function iconOf(action: StepAction) {
  if (action.kind === "check") return IconCheck;
  if (action.kind === "signature") return IconSignature;
  if (action.kind === "recovered") return IconArrowFork;
  if (action.kind === "repaired") return IconTool;
  if (action.kind === "split") return IconArrowsSplit;
  return icons[action.tool] ?? IconPlayerPlay;
}

interface TimelineProps {
  actions: StepAction[];
  /** Whether the step is at work; what has no end otherwise was interrupted. */
  isRunning: boolean;
}

export function Timeline({ actions, isRunning }: TimelineProps) {
  const [isWhole, setWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, actions.length - shownAtFirst);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show {hidden} earlier
        </button>
      )}
      <ol className={styles.line} aria-label="What the step did">
        {actions.slice(hidden).map((action, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are only ever added at the end
          <Entry key={hidden + at} action={action} isRunning={isRunning} />
        ))}
      </ol>
    </>
  );
}

function Entry({ action, isRunning }: { action: StepAction; isRunning: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const Icon = action.ok === false ? IconAlertTriangle : iconOf(action);
  const state =
    action.ok === null
      ? isRunning
        ? "running"
        : "doubt"
      : !action.ok
        ? "bad"
        : action.flaky || action.kind === "recovered" || action.kind === "repaired"
          ? "doubt"
          : "good";
  const isDone = action.kind === "call" || action.kind === "check";
  const output = outputText(action.output).trimEnd();
  const summary = [
    action.summary,
    action.elapsed_ms >= 1000 ? duration(action.elapsed_ms) : "",
    action.flaky ? "flaky: failed before" : "",
    action.recovered ? "found after a crash" : "",
    action.ok === null && !isRunning ? "interrupted" : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <li className={styles.entry} data-state={state}>
      <span className={styles.disc} aria-hidden>
        <Icon size={11} stroke={2} />
      </span>
      <div className={styles.text}>
        <p className={styles.title} dir="auto">
          {action.tool === "run_command" ? <Exact>{action.title}</Exact> : action.title}
        </p>
        {(summary || state === "bad" || state === "running") && (
          <p className={styles.summary}>
            {state === "bad" && isDone && <span className={styles.bad}>failed</span>}
            {state === "bad" && isDone && summary && " · "}
            {state === "running" && !summary ? "running" : summary}
          </p>
        )}
        {output && (
          <button
            type="button"
            className={styles.more}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Hide" : moreOf(action)}
            <span className="pw-sr">
              {" "}
              {isOpen && moreOf(action).toLowerCase()} of {action.title}
            </span>
          </button>
        )}
        {isOpen && (
          <Exact block lines={14} label={`Output of ${action.title}`}>
            {output}
          </Exact>
        )}
      </div>
    </li>
  );
}

/** What there is more of. */
function moreOf(action: StepAction): string {
  if (action.kind === "recovered") return "Words for it";
  return action.kind === "rejected" || action.kind === "faulted"
    ? "What the model was told"
    : "Output";
}
