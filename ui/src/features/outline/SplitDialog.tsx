/** Splits a step in two: asks for the title of the second and which notes stay with the first. */
import { Button, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Outline } from "../../api/bindings";
import { useTask } from "../../api/queries";
import { Dialog } from "../../components/Dialog";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
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
  const t = words.outline.splitDialog;
  const isReady = title.trim() !== "" && detail.data !== undefined && !isBusy;
  const split = () => {
    if (isReady) onSplit(task, title.trim(), kept === body ? null : kept);
  };
  return (
    <Dialog onClose={onClose} title={t.title(task)} size={560}>
      {detail.isError ? (
        <ErrorState title={t.failed} error={detail.error} />
      ) : !detail.data ? (
        <Loading lines={3} label={t.loading} />
      ) : (
        <form
          className="pw-column pw-gap-12 pw-break"
          onSubmit={(event) => {
            event.preventDefault();
            split();
          }}
        >
          <p>
            <span className={styles.id}>{task}</span>
            <bdi>{detail.data.row.title}</bdi>
          </p>
          <p className={styles.label}>{t.hint(task)}</p>
          <TextInput
            label={t.newTitle}
            dir="auto"
            data-autofocus
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          {body && (
            <Textarea
              label={t.notes(task)}
              description={t.notesHint}
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
              {t.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {t.split}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
