/** One finding: what was found, what would settle it, and a button for each way to mend it. */
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBell,
  IconBellOff,
  IconInfoCircle,
} from "@tabler/icons-react";
import type { WindowFinding } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import styles from "./Findings.module.css";
import { codeWords } from "./view";

const icons: Record<string, typeof IconAlertTriangle> = {
  critical: IconAlertOctagon,
  major: IconAlertTriangle,
  minor: IconAlertTriangle,
  info: IconInfoCircle,
};

export interface FindingDoing {
  /** Shows the step, or the line. */
  onShow: (finding: WindowFinding) => void;
  /** Absent where nothing can be written. */
  onFix?: (finding: WindowFinding, option: number) => void;
  onMute?: (finding: WindowFinding) => void;
  onUnmute?: (finding: WindowFinding) => void;
}

interface FindingRowProps extends FindingDoing {
  finding: WindowFinding;
  /** Whether its controls are in the tab order; the arrow keys go to the other ones. */
  isCurrent: boolean;
  onCurrent?: (id: string) => void;
}

export function FindingRow({
  finding,
  isCurrent,
  onCurrent,
  onShow,
  onFix,
  onMute,
  onUnmute,
}: FindingRowProps) {
  const { id, severity, task, code, message, question, fixes, muted } = finding;
  const Icon = icons[severity] ?? IconInfoCircle;
  const tabIndex = isCurrent ? 0 : -1;
  const canFix = onFix && muted === null && fixes.length > 0;
  const isOne = fixes.length === 1;
  return (
    <li
      className={styles.finding}
      data-severity={severity}
      data-finding={id}
      data-muted={muted !== null || undefined}
      onFocus={() => onCurrent?.(id)}
    >
      <Icon size={15} className={styles.icon} aria-hidden />
      <div className={styles.middle}>
        <button
          type="button"
          className={styles.words}
          data-main
          tabIndex={tabIndex}
          onClick={() => onShow(finding)}
        >
          <span className="pw-sr">{severity}: </span>
          <bdi className={styles.message}>
            <Inline>{message}</Inline>
          </bdi>
          {question && muted === null && (
            <bdi className={styles.question} title="What would settle it">
              <Inline>{question}</Inline>
            </bdi>
          )}
          {muted !== null && (
            <span className={styles.reason}>
              Muted: <bdi>{muted}</bdi>
            </span>
          )}
          <span className={styles.code}>
            {task ? <bdi>{task}</bdi> : "the plan"} · {code}
          </span>
        </button>
        {canFix && !isOne && (
          <ul className={styles.options} aria-label={`Ways to mend it: ${codeWords(code)}`}>
            {fixes.map((fix, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place in the list
              <li key={at}>
                <button
                  type="button"
                  className={styles.option}
                  data-first={at === 0 || undefined}
                  tabIndex={tabIndex}
                  dir="auto"
                  onClick={() => onFix(finding, at)}
                >
                  {fix}
                  {at === 0 && <span className={styles.recommended}> · recommended</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {canFix && isOne && (
        <button
          type="button"
          className={styles.fix}
          tabIndex={tabIndex}
          aria-label={`Fix: ${fixes[0]}`}
          title={fixes[0]}
          onClick={() => onFix(finding, 0)}
        >
          Fix
        </button>
      )}
      {muted === null && onMute && (
        <button
          type="button"
          className={styles.mute}
          tabIndex={tabIndex}
          aria-label={`Mute with a reason: ${message}`}
          title="Mute with a reason (m)"
          onClick={() => onMute(finding)}
        >
          <IconBellOff size={14} aria-hidden />
        </button>
      )}
      {muted !== null && onUnmute && (
        <button
          type="button"
          className={styles.again}
          tabIndex={tabIndex}
          aria-label={`Hear of it again: ${message}`}
          onClick={() => onUnmute(finding)}
        >
          <IconBell size={13} aria-hidden /> Hear of it again
        </button>
      )}
    </li>
  );
}
