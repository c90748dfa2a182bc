/** Before a line is cut that nobody wrote: what the file says afterwards. */
import type { GraphView } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import styles from "./Graph.module.css";
import type { Wiring } from "./useWiring";

interface CutDialogProps {
  plan: string;
  view: GraphView;
  wiring: Wiring;
}

export function CutDialog({ plan, view, wiring }: CutDialogProps) {
  const { asking } = wiring;
  const preview = usePreviewEdit(plan, view.revision, asking?.edit ?? null);
  const shown = preview.data;
  const { from, to } = asking?.edge ?? { from: "", to: "" };
  return (
    <ConfirmDialog
      opened={asking !== null}
      title={asking ? `${asking.doing}?` : ""}
      confirm={asking?.doing ?? ""}
      size="lg"
      busy={wiring.isBusy}
      blocked={shown || preview.isError ? null : "Waits until it is known what becomes written."}
      onClose={wiring.giveUp}
      onConfirm={wiring.confirm}
    >
      <div className={styles.asked}>
        <p>
          {to} waits for {from} only because {from} stands before it. Nobody wrote that, so cutting
          it writes down what {to} waits for instead.
        </p>
        {preview.isError ? (
          <ErrorState
            title="It cannot be said what becomes written"
            error={preview.error}
            onRetry={() => void preview.refetch()}
          />
        ) : !shown ? (
          <Loading lines={3} label="Looking what becomes written" />
        ) : (
          <div className={styles.diff}>
            <Diff lines={shown.diff} label="The lines that change" height={12} />
          </div>
        )}
      </div>
    </ConfirmDialog>
  );
}
