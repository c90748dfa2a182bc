/** Asks before a version is restored: what would change against the plan as it is now. The plan gets the old text as a new entry, so nothing is lost by it. */
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Outline } from "../../api/bindings";
import { useRestore } from "../../api/mutations";
import { useCompare } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { showToast } from "../../lib/toast";
import { useSend } from "../outline/useSend";
import { ComparisonView, type Shown } from "./ComparisonView";
import styles from "./History.module.css";

/** What is about to be restored. */
export interface Restoring {
  revision: string;
  /** "“Title of T2”, 6 min ago". */
  name: string;
}

interface RestoreDialogProps {
  outline: Outline;
  restoring: Restoring | null;
  onClose: () => void;
}

export function RestoreDialog({ outline, restoring, onClose }: RestoreDialogProps) {
  const [shown, setShown] = useState<Shown>("tasks");
  const [isLate, setLate] = useState(false);
  const restore = useRestore();
  const { offerUndo } = useSend(outline.plan);
  const { plan, revision: now } = outline;
  const wanted = restoring?.revision ?? null;
  const preview = useCompare(plan, wanted && now, wanted);
  const isSeen = preview.data?.from === now && preview.data.to === wanted;

  const close = () => {
    setLate(false);
    onClose();
  };
  const confirm = () => {
    if (!restoring || !isSeen) return;
    restore.mutate(
      { plan, seen: now, revision: restoring.revision },
      {
        onSuccess: (outcome) => {
          if (outcome.outcome === "conflict") {
            setLate(true);
            return;
          }
          close();
          if (outcome.outcome === "unchanged") {
            showToast({ tone: "info", title: "The plan holds that version already" });
          } else {
            offerUndo(`Restored ${restoring.name}`, outcome.revision);
          }
        },
      },
    );
  };

  return (
    <ConfirmDialog
      opened={restoring !== null}
      title={`Restore ${restoring?.name ?? "the version"}?`}
      confirm="Restore it"
      size="lg"
      busy={restore.isPending}
      blocked={
        wanted === now
          ? "The plan holds this version already."
          : preview.isError || isSeen
            ? null
            : "Comparing…"
      }
      onConfirm={confirm}
      onClose={close}
    >
      <p>
        The plan’s text becomes that of this version, as a new entry. The text of now stays in the
        history.
      </p>
      {isLate && (
        <p role="alert" className={styles.late}>
          The plan was changed meanwhile, and nothing was written. Below is what would change now.
        </p>
      )}
      <SegmentedControl
        size="xs"
        className={styles.switch}
        aria-label="Show what would change as"
        value={shown}
        onChange={(value) => setShown(value === "text" ? "text" : "tasks")}
        data={[
          { value: "tasks", label: "Tasks" },
          { value: "text", label: "Text" },
        ]}
      />
      <div className={styles.preview} tabIndex={0} role="group" aria-label="What would change">
        <ComparisonView plan={plan} from={wanted && now} to={wanted} shown={shown} />
      </div>
    </ConfirmDialog>
  );
}
