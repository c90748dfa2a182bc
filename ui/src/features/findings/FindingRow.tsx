/** One finding: its message, its question, and a button for each fix. */
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBell,
  IconBellOff,
  IconExternalLink,
  IconEye,
  IconInfoCircle,
} from "@tabler/icons-react";
import type { WindowFinding } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import styles from "./Findings.module.css";
import { codeWords } from "./view";

const icons: Record<string, typeof IconAlertTriangle> = {
  critical: IconAlertOctagon,
  major: IconAlertTriangle,
  minor: IconAlertTriangle,
  info: IconInfoCircle,
};

const text = words.findings.row;

export interface FindingActions {
  /** Shows the finding's step or line. */
  onShow: (finding: WindowFinding) => void;
  /** Opens the plan's file at the finding's line; absent if the file can't be opened. */
  onOpen?: (finding: WindowFinding) => void;
  /** Makes or previews a fix; absent if the plan is read-only, as are `onMute` and `onUnmute`. */
  onFix?: (finding: WindowFinding, option: number, wantsPreview: boolean) => void;
  onMute?: (finding: WindowFinding) => void;
  onUnmute?: (finding: WindowFinding) => void;
}

interface FindingRowProps extends FindingActions {
  finding: WindowFinding;
  /** Whether its controls are in the tab order. Other findings are reached by arrow keys. */
  isCurrent: boolean;
  onCurrent?: (id: string) => void;
}

export function FindingRow({
  finding,
  isCurrent,
  onCurrent,
  onShow,
  onOpen,
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
            <bdi className={styles.question} title={text.question}>
              <Inline>{question}</Inline>
            </bdi>
          )}
          {muted !== null && (
            <span className="pw-hint pw-leading">
              {text.muted} <bdi>{muted}</bdi>
            </span>
          )}
          <span className="pw-hint pw-mono pw-leading">
            {task ? <bdi>{task}</bdi> : words.findings.wholePlan} · {code}
          </span>
        </button>
        {canFix && !isOne && (
          <ul className={styles.options} aria-label={text.fixes(codeWords(code))}>
            {fixes.map((fix, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fix is identified by its position
              <li key={at}>
                <button
                  type="button"
                  className={styles.option}
                  data-first={at === 0 || undefined}
                  tabIndex={tabIndex}
                  dir="auto"
                  onClick={(event) => onFix(finding, at, event.shiftKey)}
                >
                  {fix}
                  {at === 0 && <span className={styles.recommended}> · {text.recommended}</span>}
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
          aria-label={text.fixLabel(fixes[0] ?? "")}
          title={fixes[0]}
          onClick={(event) => onFix(finding, 0, event.shiftKey)}
        >
          {text.fix}
        </button>
      )}
      {canFix && (
        <button
          type="button"
          className={styles.mute}
          tabIndex={tabIndex}
          aria-label={isOne ? text.preview(fixes[0] ?? "") : text.previewAll(message)}
          title={text.previewTooltip}
          onClick={() => onFix(finding, 0, true)}
        >
          <IconEye size={14} aria-hidden />
        </button>
      )}
      {onOpen && (
        <button
          type="button"
          className={styles.mute}
          tabIndex={tabIndex}
          aria-label={text.openLabel(message)}
          title={text.openTooltip}
          onClick={() => onOpen(finding)}
        >
          <IconExternalLink size={14} aria-hidden />
        </button>
      )}
      {muted === null && onMute && (
        <button
          type="button"
          className={styles.mute}
          tabIndex={tabIndex}
          aria-label={text.mute(message)}
          title={text.muteTooltip}
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
          aria-label={text.unmuteLabel(message)}
          onClick={() => onUnmute(finding)}
        >
          <IconBell size={13} aria-hidden /> {text.unmute}
        </button>
      )}
    </li>
  );
}
