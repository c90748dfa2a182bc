/** What is asked of a person who approves in spite of what was found: why the plan is held, what would mend it, and a reason in words. */
import { Button, Textarea } from "@mantine/core";
import { IconArrowsDiagonal } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import type { DraftField } from "../../api/drafts";
import { useFindings } from "../../api/queries";
import { badgeWord, Shield } from "../../components/Shield";
import { openExpansion } from "../expansion/open";
import { showFindings } from "../findings/showFindings";
import styles from "./Approve.module.css";
import { closeApproval } from "./open";

interface TooThinProps {
  outline: Outline;
  /** The revision that would be approved. */
  revision: string;
  /** Why a reason is asked for, in the backend's words. */
  says: string;
}

export function TooThin({ outline, revision, says }: TooThinProps) {
  const report = useFindings(outline.plan, revision).data;
  const badge = report?.badge ?? outline.badge;
  const codes = report?.reason_codes ?? [];
  // The dialog is gone before something else opens, so that the focus goes where it belongs.
  const instead = (show: () => void) => () => {
    closeApproval();
    window.setTimeout(show);
  };
  return (
    <div className={styles.notice} data-tone="bad">
      <p className={styles.noticeTitle}>
        <Shield badge={badge} size={16} /> {badgeWord(badge.word)} · {badge.score}: this plan needs
        a written reason
      </p>
      <p dir="auto" className={styles.says}>
        {says}
      </p>
      {codes.length > 0 && (
        <p>
          Deductions:{" "}
          {codes.map((code, at) => (
            <span key={code}>
              {at > 0 && ", "}
              <code>{code}</code>
            </span>
          ))}
        </p>
      )}
      <div className={styles.mending}>
        <span>How to improve it:</span>
        {outline.is_writable && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowsDiagonal size={13} aria-hidden />}
            onClick={instead(openExpansion)}
          >
            Expand…
          </Button>
        )}
        <Button size="compact-xs" variant="default" onClick={instead(showFindings)}>
          Show findings
        </Button>
      </div>
    </div>
  );
}

interface ReasonProps {
  field: DraftField;
  /** Whether it is asked for because of the whole plan; else because of held steps. */
  isThin: boolean;
}

export function Reason({ field, isThin }: ReasonProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  // It is what is needed next. Who has gone elsewhere in the dialog meanwhile stays there.
  useEffect(() => {
    const held = document.activeElement;
    if (held === document.body || held?.hasAttribute("data-autofocus")) {
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
      label="Reason for override"
      description={
        isThin
          ? "Required. Kept with the approval, shown on the receipt, and counted as an override in Insights."
          : "Required to run blocked steps. Shown on the receipt."
      }
      value={field.text}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}
