/** One step becomes two: the title of the second, and which of its words stay with the first. */
import { Button, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Outline } from "../../api/bindings";
import { useTask } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import styles from "./Dialogs.module.css";

interface SplitDialogProps {
  outline: Outline;
  task: string;
  isBusy: boolean;
  onSplit: (task: string, title: string, keepBody: string | null) => void;
  onClose: () => void;
}

export function SplitDialog({ outline, task, isBusy, onSplit, onClose }: SplitDialogProps) {
  const detail = useTask(outline.plan, outline.revision, task);
  const body = detail.data?.body;
  const [title, setTitle] = useState("");
  const [kept, setKept] = useState<string | null>(null);
  useEffect(() => setKept((now) => now ?? body ?? null), [body]);
  const isReady = title.trim() !== "" && detail.data !== undefined && !isBusy;
  const split = () => {
    if (isReady) onSplit(task, title.trim(), kept === body ? null : kept);
  };
  return (
    <Dialog onClose={onClose} title={`Split ${task}`} size={560}>
      {detail.isError ? (
        <ErrorState title="The step cannot be shown" error={detail.error} />
      ) : !detail.data ? (
        <Loading lines={3} label="Reading the step" />
      ) : (
        <form
          className={styles.body}
          onSubmit={(event) => {
            event.preventDefault();
            split();
          }}
        >
          <p>
            <span className={styles.id}>{task}</span>
            <bdi>{detail.data.row.title}</bdi>
          </p>
          <p className={styles.label}>
            A new step comes behind it and waits for it; what waited for {task} waits for the new
            one. Keys such as <code>files</code> and <code>verify</code> stay with {task}.
          </p>
          <TextInput
            label="Title of the new step"
            dir="auto"
            data-autofocus
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          {body && (
            <Textarea
              label={`Words that stay with ${task}`}
              description="Take out what belongs to the new step: it goes there."
              autosize
              minRows={3}
              maxRows={12}
              dir="auto"
              value={kept ?? ""}
              onChange={(event) => setKept(event.currentTarget.value)}
            />
          )}
          <div className={styles.actions}>
            <Button variant="default" onClick={onClose} mr={8}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              Split
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
