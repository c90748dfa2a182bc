/** Before the whole file takes another shape (list items or headings become tasks, or the file is brought into Planwright's own format): every line that would change. Nothing changes without this. */
import { memo } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { createStore, useStore } from "../../lib/store";
import styles from "./Dialogs.module.css";
import type { Send } from "./useSend";

/** What the file is to become. */
export type Shape = "items" | "headings" | "native";

/** The change that was asked for; `null`: none. */
const asked = createStore<Shape | null>(null);

export function askShape(shape: Shape): void {
  asked.set(shape);
}

const words: Record<Shape, { title: string; confirm: string; doing: string }> = {
  items: {
    title: "Make tasks from the list items?",
    confirm: "Make tasks",
    doing: "Making tasks from the list items",
  },
  headings: {
    title: "Make tasks from the headings?",
    confirm: "Make tasks",
    doing: "Making tasks from the headings",
  },
  native: {
    title: "Convert to Planwright's own format?",
    confirm: "Convert",
    doing: "Converting the plan",
  },
};

function editOf(shape: Shape): Edit {
  return shape === "native" ? { edit: "convert" } : { edit: "make_tasks", from: shape };
}

export const ShapeDialog = memo(function ShapeDialog({
  outline,
  send,
}: {
  outline: Outline;
  send: Send;
}) {
  const shape = useStore(asked);
  const preview = usePreviewEdit(outline.plan, outline.revision, shape && editOf(shape));
  const close = () => asked.set(null);
  const shown = preview.data;
  const said = words[shape ?? "items"];
  return (
    <ConfirmDialog
      opened={shape !== null}
      title={said.title}
      confirm={said.confirm}
      size="xl"
      blocked={shown ? null : "Waits until it is known what would change."}
      onClose={close}
      onConfirm={() => {
        if (!shape) return;
        close();
        void send.edit(outline.revision, editOf(shape), said.doing).then((outcome) => {
          if (outcome?.outcome === "written")
            send.offerUndo(
              shape === "native" ? "The plan is converted" : "The tasks are made",
              outcome.revision,
            );
        });
      }}
    >
      {preview.isError ? (
        <ErrorState title="It cannot be done" error={preview.error} />
      ) : !shown ? (
        <Loading lines={4} label="Looking what would change" />
      ) : (
        <div className={styles.body}>
          <p>
            The plan will have {shown.tasks === 1 ? "1 task" : `${shown.tasks} tasks`}. These lines
            change; every other byte of the file stays.
          </p>
          <div className={styles.frame}>
            <Diff lines={shown.diff} label="The lines that change" height={22} />
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
});
