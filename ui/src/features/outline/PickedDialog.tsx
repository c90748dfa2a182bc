/** Before several steps are deleted at once: which, and the lines of the file. */
import { memo } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import styles from "./Dialogs.module.css";

interface PickedDialogProps {
  outline: Outline;
  /** The steps to delete; `null` keeps the dialog closed. */
  tasks: readonly string[] | null;
  isBusy: boolean;
  onDelete: () => void;
  onClose: () => void;
}

export const PickedDialog = memo(function PickedDialog(props: PickedDialogProps) {
  const { outline, tasks, isBusy, onDelete, onClose } = props;
  const edit: Edit | null = tasks && {
    edit: "many",
    edits: [...tasks].reverse().map((task): Edit => ({ edit: "delete_task", task })),
  };
  const preview = usePreviewEdit(outline.plan, outline.revision, edit);
  const count = tasks?.length ?? 0;
  return (
    <ConfirmDialog
      opened={tasks !== null}
      title={`Delete ${count} steps?`}
      confirm={`Delete ${count} steps`}
      danger
      size="lg"
      busy={isBusy}
      blocked={preview.data ? null : "Waits until it is known what goes with them."}
      onClose={onClose}
      onConfirm={onDelete}
    >
      {preview.isError ? (
        <ErrorState title="It cannot be said what goes with them" error={preview.error} />
      ) : !preview.data ? (
        <Loading lines={3} label="Looking what depends on them" />
      ) : (
        <div className={styles.body}>
          <p>
            {tasks?.join(", ")} and their sub-tasks go. What waited for them waits for what they
            waited for.
          </p>
          <div className={styles.frame}>
            <Diff lines={preview.data.diff} label="The lines that change" height={16} />
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
});
