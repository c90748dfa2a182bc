/** Before a task is deleted: its sub-tasks, what waits for it, requirements that lose their cover, and the lines of the file. */

import { memo } from "react";
import type { Outline, TaskRef } from "../../api/bindings";
import { usePreviewDelete } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import styles from "./Dialogs.module.css";

interface DeleteDialogProps {
  outline: Outline;
  /** The task to delete; `null` keeps the dialog closed. */
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
  return (
    <ConfirmDialog
      opened={task !== null}
      title={`Delete ${task ?? ""}?`}
      confirm={`Delete ${task ?? ""}`}
      danger
      size="lg"
      busy={isBusy}
      blocked={shown ? null : "Waits until it is known what goes with it."}
      onClose={onClose}
      onConfirm={() => task && onDelete(task, outline.revision)}
    >
      {preview.isError ? (
        <ErrorState
          title="It cannot be said what goes with it"
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : !shown ? (
        <Loading lines={3} label="Looking what depends on it" />
      ) : (
        <div className={styles.body}>
          {shown.children.length > 0 && (
            <Tasks title="These sub-tasks go with it:" tasks={shown.children} />
          )}
          {shown.dependents.length > 0 && (
            <Tasks
              title="These wait for it, and will wait for what it waits for:"
              tasks={shown.dependents}
            />
          )}
          {shown.uncovered.length > 0 && (
            <p>
              Nothing will cover <strong>{shown.uncovered.join(", ")}</strong> any more.
            </p>
          )}
          {shown.children.length + shown.dependents.length + shown.uncovered.length === 0 && (
            <p>Nothing depends on it.</p>
          )}
          <div className={styles.frame}>
            <Diff lines={shown.diff} label="The lines that change" height={12} />
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
