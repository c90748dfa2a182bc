/** A finding's fix: the lines that would change, then one click. It can be taken back afterwards. */

import { memo, useState } from "react";
import type { Outline } from "../../api/bindings";
import { usePreviewFix } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { useSend } from "../outline/useSend";
import styles from "./Findings.module.css";

interface FixDialogProps {
  outline: Outline;
  /** The finding's id; `null` keeps the dialog closed. */
  finding: string | null;
  onClose: () => void;
}

export const FixDialog = memo(function FixDialog({ outline, finding, onClose }: FixDialogProps) {
  const preview = usePreviewFix(outline.plan, outline.revision, finding);
  const send = useSend(outline.plan);
  const [isBusy, setBusy] = useState(false);
  const shown = preview.data;

  const apply = async () => {
    if (!finding || !shown) return;
    setBusy(true);
    // On the revision that the lines on screen are of.
    const outcome = await send.fix(shown.revision, finding, shown.label);
    setBusy(false);
    onClose();
    if (outcome?.outcome === "written") send.offerUndo(`Done: ${shown.label}`, outcome.revision);
  };

  return (
    <ConfirmDialog
      opened={finding !== null}
      title={shown?.label ?? "Fix"}
      confirm="Apply"
      size="lg"
      busy={isBusy}
      blocked={shown ? null : "Waits until it is known what would change."}
      onClose={onClose}
      onConfirm={() => void apply()}
    >
      {preview.isError ? (
        <ErrorState
          title="This cannot be mended by itself"
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : !shown ? (
        <Loading lines={3} label="Working the fix out" />
      ) : (
        <div className={styles.frame}>
          <Diff lines={shown.diff} label="The lines that change" height={16} />
        </div>
      )}
    </ConfirmDialog>
  );
});
