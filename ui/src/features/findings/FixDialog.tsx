/** A finding's fixes: what each would change, then one click. It can be taken back afterwards. */

import { Radio } from "@mantine/core";
import { memo, useState } from "react";
import type { Outline } from "../../api/bindings";
import { useFindings, usePreviewFix } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { useSend } from "../outline/useSend";
import styles from "./Findings.module.css";

interface FixDialogProps {
  outline: Outline;
  /** The finding's id; `null` keeps the dialog closed. */
  finding: string | null;
  /** Which of its fixes is shown first; 0 is the recommended one. */
  option?: number;
  onClose: () => void;
}

export const FixDialog = memo(function FixDialog({
  outline,
  finding,
  option: asked = 0,
  onClose,
}: FixDialogProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const option = chosen ?? asked;
  const report = useFindings(finding ? outline.plan : null, outline.revision).data;
  const about = report?.findings.find((one) => one.id === finding);
  const preview = usePreviewFix(outline.plan, outline.revision, finding, option);
  const send = useSend(outline.plan);
  const [isBusy, setBusy] = useState(false);
  const shown = preview.data;

  // Another finding begins with what is asked for then.
  const close = () => {
    setChosen(null);
    onClose();
  };
  const apply = async () => {
    if (!finding || !shown) return;
    setBusy(true);
    // On the revision that the lines on screen are of.
    const outcome = await send.fix(shown.revision, finding, option, shown.label);
    setBusy(false);
    close();
    if (outcome?.outcome === "written") send.offerUndo(`Done: ${shown.label}`, outcome.revision);
  };

  return (
    <ConfirmDialog
      opened={finding !== null}
      title={shown?.label ?? about?.fixes[option] ?? "Fix"}
      confirm="Apply"
      size="lg"
      busy={isBusy}
      blocked={shown ? null : "Waits until it is known what would change."}
      onClose={close}
      onConfirm={() => void apply()}
    >
      {about && (
        <p className={styles.quoted} dir="auto">
          {about.message}
        </p>
      )}
      {about && about.fixes.length > 1 && (
        <Radio.Group
          size="xs"
          className={styles.ways}
          label={about.question ?? "How to mend it"}
          value={String(option)}
          onChange={(value) => setChosen(Number(value))}
        >
          {about.fixes.map((fix, at) => (
            <Radio
              // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place in the list
              key={at}
              size="xs"
              value={String(at)}
              label={at === 0 ? `${fix} (recommended)` : fix}
            />
          ))}
        </Radio.Group>
      )}
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
