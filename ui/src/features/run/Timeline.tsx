/** A step's activity, one line per call and check: icon, title and result. At first, a long timeline shows only its latest entries; output opens on demand. */
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
import { duration } from "../../lib/time";
import { words } from "../../words";
import styles from "./Timeline.module.css";

/** Number of actions shown at first, the latest ones. */
const initiallyShown = 8;

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
  /** Whether the step is running; if it isn't, an action without a result was interrupted. */
  isRunning: boolean;
}

export function Timeline({ actions, isRunning }: TimelineProps) {
  const [isExpanded, setExpanded] = useState(false);
  const hidden = isExpanded ? 0 : Math.max(0, actions.length - initiallyShown);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className={styles.more} onClick={() => setExpanded(true)}>
          {words.run.actions.showEarlier(hidden)}
        </button>
      )}
      <ol className="pw-list pw-column" aria-label={words.run.actions.label}>
        {actions.slice(hidden).map((action, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions are only appended
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
  const outputButton = words.run.actions.outputButtons[action.kind] ?? words.run.actions.output;
  const summary = [
    action.summary,
    action.elapsed_ms >= 1000 ? duration(action.elapsed_ms) : "",
    action.flaky ? words.run.actions.flaky : "",
    action.recovered ? words.run.actions.recovered : "",
    action.ok === null && !isRunning ? words.run.actions.interrupted : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <li className={styles.entry} data-state={state}>
      <span className={styles.disc} aria-hidden>
        <Icon size={11} stroke={2} />
      </span>
      <div className={styles.text}>
        <p className="pw-exact-break" dir="auto">
          {action.tool === "run_command" ? <Exact>{action.title}</Exact> : action.title}
        </p>
        {(summary || state === "bad" || state === "running") && (
          <p className="pw-hint pw-break">
            {state === "bad" && isDone && (
              <span className={styles.bad}>{words.run.actions.failed}</span>
            )}
            {state === "bad" && isDone && summary && " · "}
            {state === "running" && !summary ? words.run.actions.running : summary}
          </p>
        )}
        {output && (
          <button
            type="button"
            className={styles.more}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? words.run.actions.hide : outputButton}
            <span className="pw-sr">
              {" "}
              {isOpen
                ? words.run.actions.hideOutput(outputButton, action.title)
                : words.run.actions.ofAction(action.title)}
            </span>
          </button>
        )}
        {isOpen && (
          <Exact block lines={14} label={words.run.actions.outputLabel(action.title)}>
            {output}
          </Exact>
        )}
      </div>
    </li>
  );
}
