/** Confirms deleting several steps: lists them, and shows the diff of the file. */
import { memo } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";

interface DeletePickedDialogProps {
  outline: Outline;
  /** The steps to delete; the dialog is closed while it is `null`. */
  tasks: readonly string[] | null;
  isBusy: boolean;
  onDelete: () => void;
  onClose: () => void;
}

export const DeletePickedDialog = memo(function DeletePickedDialog(props: DeletePickedDialogProps) {
  const { outline, tasks, isBusy, onDelete, onClose } = props;
  const edit: Edit | null = tasks && {
    edit: "many",
    edits: [...tasks].reverse().map((task): Edit => ({ edit: "delete_task", task })),
  };
  const preview = usePreviewEdit(outline.plan, outline.revision, edit);
  const count = tasks?.length ?? 0;
  const { preview: labels, deleteSelectedDialog: t } = words.outline;
  return (
    <ConfirmDialog
      opened={tasks !== null}
      title={t.title(count)}
      confirm={t.confirm(count)}
      danger
      size="lg"
      busy={isBusy}
      blocked={preview.data ? null : labels.waiting}
      onClose={onClose}
      onConfirm={onDelete}
    >
      {preview.isError ? (
        <ErrorState title={labels.failed} error={preview.error} />
      ) : !preview.data ? (
        <Loading lines={3} label={labels.loading} />
      ) : (
        <div className="pw-column pw-gap-12 pw-break">
          <p>{tasks && t.summary(tasks)}</p>
          <div className="pw-frame pw-clip">
            <Diff lines={preview.data.diff} label={labels.diff} height={16} />
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
});
