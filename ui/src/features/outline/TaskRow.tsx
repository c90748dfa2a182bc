/** One task as a row: plain CSS, no controls of a library, because thousands of them scroll by. */
import {
  IconAlertTriangle,
  IconArrowNarrowRightDashed,
  IconChevronDown,
  IconChevronRight,
  IconFile,
  IconTarget,
  IconTestPipe,
} from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import type { Row } from "../../api/bindings";
import { useIsPersons } from "../../api/who";
import { Chip, type Tone } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import type { Mark } from "./marks";
import { lookOf, StateIcon } from "./StateIcon";
import styles from "./TaskRow.module.css";

/** Findings that a row shows itself; the panel has all. */
const shownFindings = 3;

interface TaskRowProps {
  row: Row;
  mark?: Mark;
  isSelected: boolean;
  /** Of a group: whether its sub-tasks are folded away. */
  isFolded: boolean;
  onFold: (task: string, isFolded: boolean) => void;
  /** Absent where nothing can be mended. */
  onFix?: (finding: string) => void;
  onFindings: (task: string) => void;
}

export const TaskRow = memo(function TaskRow({
  row,
  mark,
  isSelected,
  isFolded,
  onFold,
  onFix,
  onFindings,
}: TaskRowProps) {
  const state = mark?.state;
  const { tone } = lookOf(row, state);
  return (
    <div
      className={styles.row}
      data-selected={isSelected || undefined}
      data-quiet={(tone === "good" || tone === "dim") && !isSelected ? true : undefined}
    >
      <StateIcon row={row} state={state} />
      <span className={styles.id} data-counted={!row.has_written_id || undefined}>
        {row.id}
      </span>
      <div className={styles.body}>
        <p className={styles.title}>
          <bdi className={styles.words}>
            <Inline>{row.title || "Untitled"}</Inline>
          </bdi>
          {row.kind === "group" && (
            <button
              type="button"
              className={styles.fold}
              tabIndex={-1}
              aria-expanded={!isFolded}
              aria-label={`${isFolded ? "Unfold" : "Fold"} ${row.id}`}
              onClick={() => onFold(row.id, !isFolded)}
            >
              {isFolded ? (
                <IconChevronRight size={14} aria-hidden />
              ) : (
                <IconChevronDown size={14} aria-hidden />
              )}
              {isFolded && "…"}
            </button>
          )}
          {row.origin === "run" && (
            <Chip tone="outline" title="The run thought of this step and wrote it into the plan">
              added by the run
            </Chip>
          )}
          {row.findings.length > 0 && <FindingBadge row={row} onFindings={onFindings} />}
        </p>
        {row.summary && (
          <p className={styles.summary} dir="auto">
            <Inline>{row.summary}</Inline>
          </p>
        )}
        {row.skipped !== null && (
          <p className={styles.summary} dir="auto">
            Left out: {row.skipped}
          </p>
        )}
        <Meta row={row} />
        {row.options.length > 0 && (
          <ul className={styles.options} aria-label="Options">
            {row.options.map((option, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: options have no id, and two can read alike
              <li key={at} className={styles.option}>
                <bdi>
                  <Inline>{option.label}</Inline>
                </bdi>
                {option.effect && <span> → {option.effect}</span>}
              </li>
            ))}
          </ul>
        )}
        {row.findings.length > 0 && (
          <ul className={styles.findings} aria-label="Findings">
            {row.findings.slice(0, shownFindings).map((finding) => (
              <li key={finding.id} className={styles.finding} data-severity={finding.severity}>
                <span className="pw-sr">{finding.severity}: </span>
                <bdi>{finding.message}</bdi>
                {finding.fix && onFix && (
                  <button
                    type="button"
                    className={styles.fix}
                    tabIndex={isSelected ? 0 : -1}
                    aria-label={`Fix: ${finding.fix}`}
                    onClick={() => onFix(finding.id)}
                  >
                    Fix
                  </button>
                )}
              </li>
            ))}
            {row.findings.length > shownFindings && (
              <li className={styles.finding}>
                <button
                  type="button"
                  className={styles.fix}
                  tabIndex={isSelected ? 0 : -1}
                  onClick={() => onFindings(row.id)}
                >
                  {row.findings.length - shownFindings} more
                </button>
              </li>
            )}
          </ul>
        )}
      </div>
      <RowEnd row={row} mark={mark} />
    </div>
  );
});

function FindingBadge({ row, onFindings }: { row: Row; onFindings: (task: string) => void }) {
  const count = row.findings.length;
  return (
    <button
      type="button"
      className={styles.badge}
      tabIndex={-1}
      aria-label={`${count} ${count === 1 ? "finding" : "findings"} on ${row.id}`}
      onClick={() => onFindings(row.id)}
    >
      <IconAlertTriangle size={12} aria-hidden />
      {count}
    </button>
  );
}

/** What it waits for, its files, its checks, what it covers. */
function Meta({ row }: { row: Row }) {
  const depends = row.depends === null ? null : row.depends.join(", ") || "nothing";
  if (!depends && row.files.length + row.verify.length + row.covers.length === 0) return null;
  return (
    <p className={styles.meta}>
      {depends && (
        <MetaItem icon={<IconArrowNarrowRightDashed size={14} aria-hidden />} label="Waits for">
          {depends}
        </MetaItem>
      )}
      {row.files.length > 0 && (
        <MetaItem icon={<IconFile size={13} aria-hidden />} label="Files">
          {row.files.join(" ")}
        </MetaItem>
      )}
      {row.verify.length > 0 && (
        <MetaItem icon={<IconTestPipe size={13} aria-hidden />} label="Checks">
          {row.verify.join(" · ")}
        </MetaItem>
      )}
      {row.covers.length > 0 && (
        <MetaItem icon={<IconTarget size={13} aria-hidden />} label="Covers" plain>
          {row.covers.join(" ")}
        </MetaItem>
      )}
    </p>
  );
}

interface MetaItemProps {
  icon: ReactNode;
  label: string;
  plain?: boolean;
  children: ReactNode;
}

function MetaItem({ icon, label, plain = false, children }: MetaItemProps) {
  return (
    <span className={styles.item}>
      {icon}
      <span className="pw-sr">{label}: </span>
      <bdi className={plain ? styles.plain : styles.mono}>{children}</bdi>
    </span>
  );
}

const endTones: Record<string, Tone> = {
  failed: "bad",
  refused: "bad",
  running: "accent",
  unverified: "warn",
};

/** What a step ended with that a check alone does not say. */
const doubts = new Set<string | null>(["flaky check", "check edited"]);

/** Green is for what is verified, and for that alone. */
function endTone(mark: Mark): Tone {
  return endTones[mark.state] ?? (doubts.has(mark.evidence) ? "warn" : "good");
}

function RowEnd({ row, mark }: { row: Row; mark?: Mark }) {
  const isPersons = useIsPersons(row.by);
  // What runs is in other hands: a model's, or those of a command that it was handed over to.
  const isOpen = !row.done && mark?.state !== "done" && mark?.state !== "running";
  const isYours = isPersons && row.kind === "task" && isOpen;
  if (!mark?.evidence && !isYours) return null;
  return (
    <span className={styles.end}>
      {mark?.evidence && <Chip tone={endTone(mark)}>{mark.evidence}</Chip>}
      {isYours && <Chip tone="yours">yours</Chip>}
    </span>
  );
}
