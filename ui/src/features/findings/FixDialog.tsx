/** Previews a finding's fixes and applies one. Undo is offered afterwards. */

import { Radio } from "@mantine/core";
import { memo, useState } from "react";
import type { Outline } from "../../api/bindings";
import { usePreviewFix } from "../../api/fixes";
import { useFindings } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import styles from "./Findings.module.css";

const text = words.findings.fixDialog;

interface FixDialogProps {
  outline: Outline;
  /** The finding's id; `null` keeps the dialog closed. */
  finding: string | null;
  /** The fix shown first; 0 is the recommended one. */
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

  // Resets the choice, so that the next finding starts with its own `option`.
  const close = () => {
    setChosen(null);
    onClose();
  };
  const apply = async () => {
    if (!finding || !shown) return;
    setBusy(true);
    // Applies the fix to the previewed revision.
    const outcome = await send.fix(shown.revision, finding, option, shown.label);
    setBusy(false);
    close();
    if (outcome?.outcome === "written") send.offerUndo(text.applied(shown.label), outcome.revision);
  };

  return (
    <ConfirmDialog
      opened={finding !== null}
      title={shown?.label ?? about?.fixes[option] ?? text.title}
      confirm={text.confirm}
      size="lg"
      busy={isBusy}
      blocked={shown ? null : text.waiting}
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
          label={about.question ?? text.choose}
          value={String(option)}
          onChange={(value) => setChosen(Number(value))}
        >
          {about.fixes.map((fix, at) => (
            <Radio
              // biome-ignore lint/suspicious/noArrayIndexKey: a fix is identified by its position
              key={at}
              size="xs"
              value={String(at)}
              label={at === 0 ? text.recommended(fix) : fix}
            />
          ))}
        </Radio.Group>
      )}
      {preview.isError ? (
        <ErrorState
          title={text.errorTitle}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : !shown ? (
        <Loading lines={3} label={text.loading} />
      ) : (
        <div className="pw-frame pw-clip">
          <Diff lines={shown.diff} label={text.diff} height={16} />
        </div>
      )}
    </ConfirmDialog>
  );
});
