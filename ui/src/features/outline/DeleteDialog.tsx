/** Confirms deleting a step: shows its sub-steps, its dependents, the requirements that it leaves uncovered, and the diff of the file. */

import { memo } from "react";
import type { Outline, TaskRef } from "../../api/bindings";
import { usePreviewDelete } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import styles from "./Dialogs.module.css";

interface DeleteDialogProps {
  outline: Outline;
  /** The step to delete; the dialog is closed while it is `null`. */
  task: string | null;
  isBusy: boolean;
  onDelete: (task: string, revision: string) => void;
  onClose: () => void;
}

export const DeleteDialog = memo(function DeleteDialog({
  outline,
  task,
  isBusy,
  onDelete,
  onClose,
}: DeleteDialogProps) {
  const preview = usePreviewDelete(outline.plan, outline.revision, task);
  const shown = preview.data;
  const { preview: labels, deleteDialog: t } = words.outline;
  return (
    <ConfirmDialog
      opened={task !== null}
      title={t.title(task ?? "")}
      confirm={t.confirm(task ?? "")}
      danger
      size="lg"
      busy={isBusy}
      blocked={shown ? null : labels.waiting}
      onClose={onClose}
      onConfirm={() => task && onDelete(task, outline.revision)}
    >
      {preview.isError ? (
        <ErrorState
          title={labels.failed}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : !shown ? (
        <Loading lines={3} label={labels.loading} />
      ) : (
        <div className="pw-column pw-gap-12 pw-break">
          {shown.children.length > 0 && <Tasks title={t.children} tasks={shown.children} />}
          {shown.dependents.length > 0 && <Tasks title={t.dependents} tasks={shown.dependents} />}
          {shown.uncovered.length > 0 && (
            <p>
              {t.uncovered} <strong>{shown.uncovered.join(", ")}</strong>
            </p>
          )}
          {shown.children.length + shown.dependents.length + shown.uncovered.length === 0 && (
            <p>{t.noDependents}</p>
          )}
          <div className="pw-frame pw-clip">
            <Diff lines={shown.diff} label={labels.diff} height={12} />
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
});

function Tasks({ title, tasks }: { title: string; tasks: TaskRef[] }) {
  return (
    <section>
      <p>{title}</p>
      <ul className={styles.list}>
        {tasks.map((task) => (
          <li key={task.id}>
            <span className={styles.id}>{task.id}</span>
            <bdi>{task.title}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
