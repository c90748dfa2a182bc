/** The findings panel: badge, score breakdown, and each finding with its fixes. Updates after every edit. */
import { Button } from "@mantine/core";
import { IconArrowsDiagonal, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { FindingsReport, Outline, WindowFinding } from "../../api/bindings";
import { useFindings, useOutline } from "../../api/queries";
import { getPlace, usePlace } from "../../app/place";
import { badgeWord, Shield } from "../../components/Shield";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { keyWords } from "../../lib/keyText";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { expandKeys, isWeak, openExpansion } from "../expansion/open";
import { showTask } from "../outline/showTask";
import { showLine } from "../source/showLine";
import { FindingFilterBar } from "./FindingFilterBar";
import { FindingRow } from "./FindingRow";
import styles from "./Findings.module.css";
import { ScoreReasons } from "./ScoreReasons";
import { findingsAsked } from "./showFindings";
import { useFindingActions } from "./useFindingActions";
import { useFindingKeys } from "./useFindingKeys";
import { grouped, useFindingView } from "./view";

const text = words.findings;

/** The last focus request that was handled. */
let handled = 0;

export default function FindingsTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!outline.data) return <Loading lines={4} label={text.loading} />;
  return <Findings key={outline.data.plan} outline={outline.data} />;
}

function Findings({ outline }: { outline: Outline }) {
  const report = useFindings(outline.plan, outline.revision);
  if (report.isError) {
    return (
      <ErrorState
        title={text.errorTitle}
        error={report.error}
        onRetry={() => void report.refetch()}
      />
    );
  }
  if (!report.data) return <Loading lines={4} label={text.loading} />;
  return <Report outline={outline} report={report.data} isStale={report.isPlaceholderData} />;
}

interface ReportProps {
  outline: Outline;
  report: FindingsReport;
  isStale: boolean;
}

function Report({ outline, report, isStale }: ReportProps) {
  const { badge, summary, findings, more } = report;
  const { plan, is_writable: isWritable } = outline;
  const view = useFindingView(plan);
  const { actions, dialogs } = useFindingActions(outline);
  const top = useRef<HTMLElement>(null);
  const asked = useStore(findingsAsked);
  const [current, setCurrent] = useState<string | null>(null);

  const unmuted = useMemo(() => findings.filter(({ muted }) => muted === null), [findings]);
  const muted = useMemo(() => findings.filter((finding) => finding.muted !== null), [findings]);
  const groups = useMemo(
    () => grouped(findings, view.group, view.filter),
    [findings, view.group, view.filter],
  );
  const shown = groups.flatMap((group) => group.findings);
  const focusable = [...shown, ...muted];
  const tabStop = focusable.find(({ id }) => id === current)?.id ?? focusable[0]?.id ?? null;

  // A fixed finding disappears, so focus moves to the next one.
  const place = useRef(0);
  const at = focusable.findIndex(({ id }) => id === current);
  if (at >= 0) place.current = at;
  const isGone = current !== null && at < 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the findings change
  useEffect(() => {
    if (!isGone || document.activeElement !== document.body) return;
    const mains = top.current?.querySelectorAll<HTMLElement>("[data-main]") ?? [];
    (mains[Math.min(place.current, mains.length - 1)] ?? top.current)?.focus();
  }, [isGone, findings]);

  useEffect(() => {
    if (asked === handled) return;
    handled = asked;
    const first = top.current?.querySelector<HTMLElement>("[data-main]") ?? top.current;
    first?.focus();
  }, [asked]);

  const byId = (id: string) => findings.find((one) => one.id === id);
  const onKeyDown = useFindingKeys({
    region: top,
    current: tabStop,
    onFix: (id, wantsPreview) => {
      const finding = byId(id);
      if (finding?.muted === null && finding.fixes.length > 0)
        actions.onFix?.(finding, 0, wantsPreview);
    },
    onMute: (id) => {
      const finding = byId(id);
      if (finding) (finding.muted === null ? actions.onMute : actions.onUnmute)?.(finding);
    },
    onOpen:
      actions.onOpen &&
      ((id) => {
        const finding = byId(id);
        if (finding) actions.onOpen?.(finding);
      }),
  });
  const rowOf = (finding: WindowFinding) => (
    <FindingRow
      key={finding.id}
      finding={finding}
      isCurrent={finding.id === tabStop}
      onCurrent={setCurrent}
      onShow={show}
      {...actions}
    />
  );

  return (
    <section
      ref={top}
      className={styles.findings}
      aria-label={text.label}
      aria-busy={isStale || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={styles.shield}>
        <Shield badge={badge} size={44} />
      </div>
      <h2 className={styles.badge}>
        {badgeWord(badge.word)} · {badge.score}
      </h2>
      {summary.length > 0 && (
        <p className="pw-hint pw-leading-16">
          <bdi>{summary.join(" · ")}</bdi>
        </p>
      )}
      {badge.word !== "empty" && <ScoreReasons report={report} isOpen={view.isExplained} />}
      {isWeak(badge) && isWritable && <Expand isThin />}
      <hr className={styles.line} />
      {unmuted.length > 0 && (
        <FindingFilterBar plan={plan} findings={unmuted} shown={shown.length} view={view} />
      )}
      {unmuted.length === 0 ? (
        <EmptyState icon={<IconCircleCheck size={26} />} title={text.emptyTitle}>
          {muted.length > 0 ? text.allMuted : text.emptyHint}
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState title={text.noMatches} />
      ) : (
        groups.map((group) => (
          <section key={group.id} className={styles.group} aria-label={group.title}>
            <h3 className={styles.groupHead}>
              <bdi>{group.title}</bdi> <span>{group.findings.length}</span>
            </h3>
            <ul className="pw-list pw-column pw-gap-10">{group.findings.map(rowOf)}</ul>
          </section>
        ))
      )}
      {more > 0 && <p className={styles.more}>{text.more(more)}</p>}
      {muted.length > 0 && (
        <details className={styles.muted}>
          <summary>{text.mutedCount(muted.length)}</summary>
          <ul className="pw-list pw-column pw-gap-10" aria-label={text.muted}>
            {muted.map(rowOf)}
          </ul>
        </details>
      )}
      {!isWeak(badge) && isWritable && <Expand />}
      {dialogs}
    </section>
  );
}

/** Shows the finding's step, or its line if the source is open or the finding has no step. */
function show(finding: WindowFinding): void {
  const { view } = getPlace();
  if (finding.task && view !== "source") showTask(finding.task);
  else showLine(finding.line);
}

function Expand({ isThin: isUrgent = false }: { isThin?: boolean }) {
  return (
    <Button
      fullWidth
      size="sm"
      className={styles.expand}
      variant={isUrgent ? "filled" : "light"}
      leftSection={<IconArrowsDiagonal size={15} aria-hidden />}
      title={text.expandTooltip(keyWords(expandKeys))}
      onClick={openExpansion}
    >
      {isUrgent ? text.expandThin : words.expansion.verb}
    </Button>
  );
}
