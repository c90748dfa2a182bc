/** The plan as it stands: its revision, its badge, what was said about it, and the way to it. */
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import type { Outline } from "../../api/bindings";
import { openDrawer } from "../../app/Layout";
import { Shield } from "../../components/Shield";
import { askApproval } from "../approve/open";
import { count, shortRevision } from "../run/words";
import styles from "./Talk.module.css";

const marks: Record<string, string> = {
  proposed: "Proposed, not approved yet",
  approved: "Approved",
  changes_requested: "Changes requested",
};

export function ProposalCard({ outline }: { outline: Outline }) {
  const { mark, total, badge } = outline;
  return (
    <section className={styles.proposal} aria-label="The plan">
      <div className={styles.proposalHead}>
        <IconFileText size={16} aria-hidden />
        <span className={styles.proposalName}>Plan</span>
        <code className={styles.revision}>{shortRevision(outline.revision)}</code>
        <Shield badge={badge} show="pill" size={13} />
      </div>
      <p className={styles.dim}>
        {[
          // After a run the file holds its ticks: no revision that anybody approved, and none to approve.
          mark ? (marks[mark] ?? mark) : outline.run ? "" : "Not approved yet",
          count(total, "step"),
          count(badge.findings, "finding"),
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
          Open
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => askApproval("changes")}>
          Request changes…
        </Button>
      </div>
    </section>
  );
}
