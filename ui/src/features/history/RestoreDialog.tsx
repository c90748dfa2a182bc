/** Confirms restoring a revision and shows what it would change in the current plan. The old text becomes a new entry, so nothing is lost. */
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import type { Outline } from "../../api/bindings";
import { useRestore } from "../../api/mutations";
import { useCompare } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import { ComparisonView, type Shown } from "./ComparisonView";
import styles from "./History.module.css";

const text = words.history.restoreDialog;

/** The revision to restore. */
export interface Restoring {
  revision: string;
  /** The name of the revision: `“Title of T2” (6 min ago)`. */
  name: string;
}

interface RestoreDialogProps {
  outline: Outline;
  restoring: Restoring | null;
  onClose: () => void;
}

export function RestoreDialog({ outline, restoring, onClose }: RestoreDialogProps) {
  const [shown, setShown] = useState<Shown>("tasks");
  const [isOutdated, setOutdated] = useState(false);
  const restore = useRestore();
  const { offerUndo } = useSend(outline.plan);
  const { plan, revision: now } = outline;
  const wanted = restoring?.revision ?? null;
  const preview = useCompare(plan, wanted && now, wanted);
  const isSeen = preview.data?.from === now && preview.data.to === wanted;

  const close = () => {
    setOutdated(false);
    onClose();
  };
  const confirm = () => {
    if (!restoring || !isSeen) return;
    restore.mutate(
      { plan, seen: now, revision: restoring.revision },
      {
        onSuccess: (outcome) => {
          if (outcome.outcome === "conflict") {
            setOutdated(true);
            return;
          }
          close();
          if (outcome.outcome === "unchanged") {
            showToast({ tone: "info", title: text.unchanged });
          } else {
            offerUndo(text.restored(restoring.name), outcome.revision);
          }
        },
      },
    );
  };

  return (
    <ConfirmDialog
      opened={restoring !== null}
      title={restoring ? text.title(restoring.name) : text.titleUnknown}
      confirm={text.confirm}
      size="lg"
      busy={restore.isPending}
      blocked={
        wanted === now ? text.alreadyCurrent : preview.isError || isSeen ? null : text.comparing
      }
      onConfirm={confirm}
      onClose={close}
    >
      <p>{text.message}</p>
      {isOutdated && (
        <p role="alert" className={styles.late}>
          {text.changedMeanwhile}
        </p>
      )}
      <SegmentedControl
        size="xs"
        className={styles.switch}
        aria-label={text.as}
        value={shown}
        onChange={(value) => setShown(value === "text" ? "text" : "tasks")}
        data={[
          { value: "tasks", label: words.history.comparison.steps },
          { value: "text", label: words.history.comparison.text },
        ]}
      />
      <div className={styles.preview} tabIndex={0} role="group" aria-label={text.changes}>
        <ComparisonView plan={plan} from={wanted && now} to={wanted} shown={shown} />
      </div>
    </ConfirmDialog>
  );
}
