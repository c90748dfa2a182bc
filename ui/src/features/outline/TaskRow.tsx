/** The content of a row. Plain elements instead of library controls: there may be thousands of rows. */
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
import { words } from "../../words";
import type { Mark } from "./marks";
import { lookOf, StateIcon } from "./StateIcon";
import styles from "./TaskRow.module.css";

/** Maximum number of findings shown in the row; the panel lists them all. */
const shownFindings = 3;

const t = words.outline.rows;

interface TaskRowProps {
  row: Row;
  mark?: Mark;
  isSelected: boolean;
  /** For a group: whether its sub-steps are hidden. */
  isFolded: boolean;
  onFold: (task: string, isFolded: boolean) => void;
  /** Makes or previews a fix; absent when the plan is read-only. */
  onFix?: (finding: string, wantsPreview: boolean) => void;
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
      <div className="pw-fill">
        <p className={styles.title}>
          <bdi className={styles.words}>
            <Inline>{row.title || t.untitled}</Inline>
          </bdi>
          {row.kind === "group" && (
            <button
              type="button"
              className={styles.fold}
              tabIndex={-1}
              aria-expanded={!isFolded}
              aria-label={isFolded ? t.expand(row.id) : t.collapse(row.id)}
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
            <Chip tone="outline" title={t.addedByRunHint}>
              {t.addedByRun}
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
            {t.skipped(row.skipped)}
          </p>
        )}
        <Meta row={row} />
        {row.options.length > 0 && (
          <ul className={styles.options} aria-label={t.options}>
            {row.options.map((option, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: options have no id and can have the same label
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
          <ul className={styles.findings} aria-label={t.findings}>
            {row.findings.slice(0, shownFindings).map((finding) => (
              <li key={finding.id} className={styles.finding} data-severity={finding.severity}>
                <span className="pw-sr">{finding.severity}: </span>
                <bdi>{finding.message}</bdi>
                {finding.fix && onFix && (
                  <>
                    <button
                      type="button"
                      className={styles.fix}
                      tabIndex={isSelected ? 0 : -1}
                      aria-label={t.fixLabel(finding.fix)}
                      title={finding.fix}
                      onClick={(event) => onFix(finding.id, event.shiftKey)}
                    >
                      {t.fix}
                    </button>
                    <button
                      type="button"
                      className={`${styles.fix} ${styles.preview}`}
                      tabIndex={isSelected ? 0 : -1}
                      aria-label={t.previewLabel(finding.fix)}
                      onClick={() => onFix(finding.id, true)}
                    >
                      {t.preview}
                    </button>
                  </>
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
                  {t.moreFindings(row.findings.length - shownFindings)}
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
      aria-label={t.findingCount(count, row.id)}
      onClick={() => onFindings(row.id)}
    >
      <IconAlertTriangle size={12} aria-hidden />
      {count}
    </button>
  );
}

/** Dependencies, files, checks and covered requirements. */
function Meta({ row }: { row: Row }) {
  const depends = row.depends === null ? null : row.depends.join(", ") || t.dependsOnNothing;
  if (!depends && row.files.length + row.verify.length + row.covers.length === 0) return null;
  return (
    <p className={styles.meta}>
      {depends && (
        <MetaItem icon={<IconArrowNarrowRightDashed size={14} aria-hidden />} label={t.dependsOn}>
          {depends}
        </MetaItem>
      )}
      {row.files.length > 0 && (
        <MetaItem icon={<IconFile size={13} aria-hidden />} label={t.files}>
          {row.files.join(" ")}
        </MetaItem>
      )}
      {row.verify.length > 0 && (
        <MetaItem icon={<IconTestPipe size={13} aria-hidden />} label={t.checks}>
          {row.verify.join(" · ")}
        </MetaItem>
      )}
      {row.covers.length > 0 && (
        <MetaItem icon={<IconTarget size={13} aria-hidden />} label={t.covers} plain>
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

/** The backend's words for the evidence of a check that passed but can't be trusted. */
const doubtful = /^(flaky check|check edited)$/;

/** The tone of a step that has ended; only verified steps are green. */
function endTone(mark: Mark): Tone {
  return endTones[mark.state] ?? (doubtful.test(mark.evidence ?? "") ? "warn" : "good");
}

function RowEnd({ row, mark }: { row: Row; mark?: Mark }) {
  const isPersons = useIsPersons(row.by);
  // A running step isn't the person's: a model or an external agent is working on it.
  const isOpen = !row.done && mark?.state !== "done" && mark?.state !== "running";
  const isYours = isPersons && row.kind === "task" && isOpen;
  if (!mark?.evidence && !isYours) return null;
  return (
    <span className={styles.end}>
      {mark?.evidence && <Chip tone={endTone(mark)}>{mark.evidence}</Chip>}
      {isYours && <Chip tone="yours">{t.yours}</Chip>}
    </span>
  );
}
