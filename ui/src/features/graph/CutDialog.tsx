/** Confirms the removal of a dependency that only the order of the steps implies, with a preview of the changed lines. */
import type { GraphView } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import styles from "./Graph.module.css";
import type { Wiring } from "./useWiring";

interface CutDialogProps {
  plan: string;
  view: GraphView;
  wiring: Wiring;
}

export function CutDialog({ plan, view, wiring }: CutDialogProps) {
  const { pending } = wiring;
  const preview = usePreviewEdit(plan, view.revision, pending?.edit ?? null);
  const shown = preview.data;
  const { from, to } = pending?.edge ?? { from: "", to: "" };
  const text = words.graph.removeImplied;
  return (
    <ConfirmDialog
      opened={pending !== null}
      title={pending ? text.title(pending.label) : ""}
      confirm={pending?.label ?? ""}
      size="lg"
      busy={wiring.isBusy}
      blocked={shown || preview.isError ? null : text.waiting}
      onClose={wiring.cancel}
      onConfirm={wiring.confirm}
    >
      <div className={styles.asked}>
        <p>{text.hint(from, to)}</p>
        {preview.isError ? (
          <ErrorState
            title={text.errorTitle}
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        ) : !shown ? (
          <Loading lines={3} label={text.loading} />
        ) : (
          <div className={styles.diff}>
            <Diff lines={shown.diff} label={text.diff} height={12} />
          </div>
        )}
      </div>
    </ConfirmDialog>
  );
}
