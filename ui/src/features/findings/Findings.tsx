/** Why the badge is what it is: word and number, what they are made of, and each finding with the ways to mend it. Follows every edit. */
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
import { expandKeys, isWeak, openExpansion } from "../expansion/open";
import { showTask } from "../outline/showTask";
import { showLine } from "../source/asked";
import { FindingFilterBar } from "./FindingFilterBar";
import { FindingRow } from "./FindingRow";
import styles from "./Findings.module.css";
import { ScoreReasons } from "./ScoreReasons";
import { findingsAsked } from "./showFindings";
import { useFindingDoing } from "./useFindingDoing";
import { useFindingKeys } from "./useFindingKeys";
import { grouped, useFindingView } from "./view";

/** The last request for the focus that was met. */
let met = 0;

export default function FindingsTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!outline.data) return <Loading lines={4} label="Reading the findings" />;
  return <Findings key={outline.data.plan} outline={outline.data} />;
}

function Findings({ outline }: { outline: Outline }) {
  const report = useFindings(outline.plan, outline.revision);
  if (report.isError) {
    return (
      <ErrorState
        title="The findings cannot be shown"
        error={report.error}
        onRetry={() => void report.refetch()}
      />
    );
  }
  if (!report.data) return <Loading lines={4} label="Reading the findings" />;
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
  const { doing, dialogs } = useFindingDoing(outline);
  const top = useRef<HTMLElement>(null);
  const asked = useStore(findingsAsked);
  const [current, setCurrent] = useState<string | null>(null);

  const loud = useMemo(() => findings.filter(({ muted }) => muted === null), [findings]);
  const muted = useMemo(() => findings.filter((finding) => finding.muted !== null), [findings]);
  const groups = useMemo(
    () => grouped(findings, view.group, view.filter),
    [findings, view.group, view.filter],
  );
  const shown = groups.flatMap((group) => group.findings);
  const focusable = [...shown, ...muted];
  const tabStop = focusable.find(({ id }) => id === current)?.id ?? focusable[0]?.id ?? null;

  useEffect(() => {
    if (asked === met) return;
    met = asked;
    const first = top.current?.querySelector<HTMLElement>("[data-main]") ?? top.current;
    first?.focus();
  }, [asked]);

  const withFinding = (act: (finding: WindowFinding) => void) => (id: string) => {
    const finding = findings.find((one) => one.id === id);
    if (finding) act(finding);
  };
  const onKeyDown = useFindingKeys({
    region: top,
    current: tabStop,
    onFix: withFinding((finding) => {
      if (finding.muted === null && finding.fixes.length > 0) doing.onFix?.(finding, 0);
    }),
    onMute: withFinding((finding) =>
      finding.muted === null ? doing.onMute?.(finding) : doing.onUnmute?.(finding),
    ),
  });
  const rowOf = (finding: WindowFinding) => (
    <FindingRow
      key={finding.id}
      finding={finding}
      isCurrent={finding.id === tabStop}
      onCurrent={setCurrent}
      onShow={show}
      {...doing}
    />
  );

  return (
    <section
      ref={top}
      className={styles.findings}
      aria-label="Findings"
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
        <p className={styles.summary}>
          <bdi>{summary.join(" · ")}</bdi>
        </p>
      )}
      {badge.word !== "empty" && <ScoreReasons report={report} isOpen={view.isExplained} />}
      {isWeak(badge) && isWritable && <Expand isThin />}
      <hr className={styles.line} />
      {loud.length > 0 && (
        <FindingFilterBar plan={plan} findings={loud} shown={shown.length} view={view} />
      )}
      {loud.length === 0 ? (
        <EmptyState icon={<IconCircleCheck size={26} />} title="Nothing found">
          {muted.length > 0
            ? "All that was found is muted, with a reason."
            : "No reason against this plan was found. That does not say it is right: read it."}
        </EmptyState>
      ) : shown.length === 0 ? (
        <EmptyState title="No finding fits the filter" />
      ) : (
        groups.map((group) => (
          <section key={group.id} className={styles.group} aria-label={group.title}>
            <h3 className={styles.groupHead}>
              <bdi>{group.title}</bdi> <span>{group.findings.length}</span>
            </h3>
            <ul className={styles.list}>{group.findings.map(rowOf)}</ul>
          </section>
        ))
      )}
      {more > 0 && <p className={styles.more}>{more} more; they show when these are mended.</p>}
      {muted.length > 0 && (
        <details className={styles.muted}>
          <summary>{muted.length} muted</summary>
          <ul className={styles.list} aria-label="Muted findings">
            {muted.map(rowOf)}
          </ul>
        </details>
      )}
      {!isWeak(badge) && isWritable && <Expand />}
      {dialogs}
    </section>
  );
}

/** In the text, where that is what is open; else the step, and without one its line. */
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
      title={`You see every change before it is made (${keyWords(expandKeys)})`}
      onClick={openExpansion}
    >
      {isUrgent ? "Expand the thin parts…" : "Expand…"}
    </Button>
  );
}
