/** The section for overriding the quality gate: why a reason is required, how to improve the plan instead, and the field for the reason. */
import { Button, Textarea } from "@mantine/core";
import { IconArrowsDiagonal } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import type { DraftField } from "../../api/drafts";
import { useFindings } from "../../api/queries";
import { badgeWord, Shield } from "../../components/Shield";
import { words } from "../../words";
import { openExpansion } from "../expansion/open";
import { showFindings } from "../findings/showFindings";
import styles from "./Approve.module.css";
import { closeApproval } from "./open";

const w = words.approve.reason;

interface NeedsReasonProps {
  outline: Outline;
  /** The revision that would be approved. */
  revision: string;
  /** Why a reason is required, from the backend. */
  message: string;
}

export function NeedsReason({ outline, revision, message }: NeedsReasonProps) {
  const report = useFindings(outline.plan, revision).data;
  const badge = report?.badge ?? outline.badge;
  const codes = report?.reason_codes ?? [];
  // Close this dialog before the next one opens, so that focus lands in the next one.
  const instead = (show: () => void) => () => {
    closeApproval();
    window.setTimeout(show);
  };
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>
        <Shield badge={badge} size={16} /> {w.title(badgeWord(badge.word), badge.score)}
      </p>
      <p dir="auto" className={styles.says}>
        {message}
      </p>
      {codes.length > 0 && (
        <p>
          {w.deductions}{" "}
          {codes.map((code, at) => (
            <span key={code}>
              {at > 0 && ", "}
              <code>{code}</code>
            </span>
          ))}
        </p>
      )}
      <div className={styles.improve}>
        <span>{w.improve}</span>
        {outline.is_writable && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowsDiagonal size={13} aria-hidden />}
            onClick={instead(openExpansion)}
          >
            {w.expand}
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={instead(showFindings)}>
          {w.showFindings}
        </Button>
      </div>
    </div>
  );
}

interface ReasonProps {
  field: DraftField;
  /** Whether the reason is required for the whole plan; otherwise, only for its blocked steps. */
  isForPlan: boolean;
}

export function Reason({ field, isForPlan }: ReasonProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  // The reason is needed next, so focus it, unless the person has already focused something else.
  useEffect(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused?.hasAttribute("data-autofocus")) {
      input.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <Textarea
      ref={input}
      size="xs"
      autosize
      minRows={2}
      maxRows={6}
      required
      dir="auto"
      label={w.label}
      description={isForPlan ? w.planHint : w.stepsHint}
      value={field.text}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}
