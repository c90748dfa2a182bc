/** Why the badge is what it is: word and number, what was measured, and each finding with the way to mend it. Follows every edit. */
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconInfoCircle,
} from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Outline, WindowFinding } from "../../api/bindings";
import { useFindings, useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { badgeWord, Shield } from "../../components/Shield";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { useStore } from "../../lib/store";
import { showTask } from "../outline/showTask";
import styles from "./Findings.module.css";
import { FixDialog } from "./FixDialog";
import { findingsAsked } from "./showFindings";

/** The last request for the focus that was met. */
let met = 0;

export default function FindingsTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!outline.data) return <Loading lines={4} label="Reading the findings" />;
  return <Findings outline={outline.data} />;
}

function Findings({ outline }: { outline: Outline }) {
  const report = useFindings(outline.plan, outline.revision);
  const [fixing, setFixing] = useState<string | null>(null);
  const top = useRef<HTMLElement>(null);
  const asked = useStore(findingsAsked);
  const isThere = report.data !== undefined;

  useEffect(() => {
    if (!isThere || asked === met) return;
    met = asked;
    const first = top.current?.querySelector<HTMLElement>("li button") ?? top.current;
    first?.focus();
  }, [asked, isThere]);

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
  const { badge, summary, findings, more } = report.data;
  return (
    <section
      ref={top}
      className={styles.findings}
      aria-label="Findings"
      aria-busy={report.isPlaceholderData || undefined}
      tabIndex={-1}
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
      <hr className={styles.line} />
      {findings.length === 0 ? (
        <EmptyState icon={<IconCircleCheck size={26} />} title="Nothing found">
          No reason against this plan was found. That does not say it is right: read it.
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {findings.map((finding) => (
            <Finding
              key={finding.id}
              finding={finding}
              onFix={outline.is_writable ? () => setFixing(finding.id) : undefined}
            />
          ))}
        </ul>
      )}
      {more > 0 && <p className={styles.more}>{more} more; they show when these are mended.</p>}
      <FixDialog outline={outline} finding={fixing} onClose={() => setFixing(null)} />
    </section>
  );
}

const icons: Record<string, typeof IconAlertTriangle> = {
  critical: IconAlertOctagon,
  major: IconAlertTriangle,
  minor: IconAlertTriangle,
  info: IconInfoCircle,
};

function Finding({ finding, onFix }: { finding: WindowFinding; onFix?: () => void }) {
  const { severity, task, code, message, question, fix } = finding;
  const Icon = icons[severity] ?? IconInfoCircle;
  const words = (
    <>
      <span className="pw-sr">{severity}: </span>
      <bdi className={styles.message}>{message}</bdi>
      {question && (
        <bdi className={styles.question} title="What would settle it">
          {question}
        </bdi>
      )}
      <span className={styles.code}>
        {task ? <bdi>{task}</bdi> : "the plan"} · {code}
      </span>
    </>
  );
  return (
    <li className={styles.finding} data-severity={severity}>
      <Icon size={15} className={styles.icon} aria-hidden />
      {task ? (
        <button type="button" className={styles.words} onClick={() => showTask(task)}>
          {words}
        </button>
      ) : (
        <div className={styles.words}>{words}</div>
      )}
      {fix && onFix && (
        <button type="button" className={styles.fix} aria-label={`Fix: ${fix}`} onClick={onFix}>
          Fix
        </button>
      )}
    </li>
  );
}
