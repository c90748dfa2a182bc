/** The current plan: its revision, badge and review state, with buttons to open it and to request changes. */
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import type { Outline } from "../../api/bindings";
import { openDrawer } from "../../app/Layout";
import { Shield } from "../../components/Shield";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { askApproval } from "../approve/open";
import styles from "./Talk.module.css";

const { marks, proposal: w } = words.talk;

export function ProposalCard({ outline }: { outline: Outline }) {
  const { mark, total, badge } = outline;
  return (
    <section className={styles.proposal} aria-label={w.plan}>
      <div className="pw-row pw-gap-8">
        <IconFileText size={16} aria-hidden />
        <span className="pw-bold pw-rigid">{w.plan}</span>
        <code className="pw-cut pw-hint pw-fill">{shortRevision(outline.revision)}</code>
        <Shield badge={badge} show="pill" size={13} />
      </div>
      <p className={styles.dim}>
        {[
          // After a run the file contains the run's ticks, so its revision is neither approved nor waiting for approval.
          mark ? (marks[mark] ?? mark) : outline.run ? "" : w.notApproved,
          w.steps(total),
          w.findings(badge.findings),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <div className={styles.buttons}>
        <Button
          size="compact-xs"
          variant="light"
          onClick={() => {
            openDrawer(null);
            document.getElementById("centre")?.focus();
          }}
        >
          {w.open}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => askApproval("changes")}>
          {w.requestChanges}
        </Button>
      </div>
    </section>
  );
}
