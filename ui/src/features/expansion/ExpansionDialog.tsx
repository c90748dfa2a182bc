/** Suggested changes that expand a plan. Nothing is written until the confirm button is pressed. The selected changes are then written as one edit, so one undo reverts them. */
import { Button, Loader } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useExpansion, usePreviewExpansion } from "../../api/adequacy";
import type { ExpansionView, Outline } from "../../api/bindings";
import { cancelExpansion } from "../../api/mutations";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { EmptyState, ErrorState } from "../../components/States";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import { ChangeList } from "./ChangeList";
import styles from "./Expansion.module.css";
import { closeExpansion } from "./open";
import { Standings } from "./Standings";

const text = words.expansion;

export default function ExpansionDialog({ outline }: { outline: Outline }) {
  const { plan } = outline;
  // The suggestions belong to one revision. When the plan changes, the user can refresh them.
  const [revision, setRevision] = useState(outline.revision);
  const [picked, setPicked] = useState<string[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const expansion = useExpansion(plan, revision);
  const view = expansion.data;
  const changes = view?.changes ?? [];
  const chosen = picked ?? changes.map(({ id }) => id);
  const preview = usePreviewExpansion(plan, revision, chosen);
  const send = useSend(plan);
  const isOutdated = outline.revision !== revision;

  const blocked = isOutdated
    ? text.blocked.outdated
    : !view
      ? text.blocked.waiting
      : changes.length === 0
        ? text.blocked.empty
        : chosen.length === 0
          ? text.blocked.noneSelected
          : preview.isError
            ? text.blocked.noPreview
            : null;

  const apply = async () => {
    setBusy(true);
    const outcome = await send.expand(revision, chosen);
    setBusy(false);
    if (!outcome) return;
    closeExpansion();
    if (outcome.outcome === "written") {
      send.offerUndo(text.dialog.expanded(chosen.length), outcome.revision);
    }
  };
  const close = () => {
    if (!view && expansion.isFetching) void cancelExpansion(plan).catch(() => undefined);
    closeExpansion();
  };
  const refresh = () => {
    setPicked(null);
    setRevision(outline.revision);
  };

  return (
    <ConfirmDialog
      opened
      title={text.dialog.title}
      size={820}
      confirm={confirmLabel(changes.length, chosen.length)}
      cancel={
        view && changes.length > 0
          ? text.dialog.cancel
          : view
            ? text.dialog.close
            : text.dialog.stop
      }
      busy={isBusy}
      blocked={blocked}
      onClose={close}
      onConfirm={() => void apply()}
    >
      {isOutdated && (
        <div className={styles.outdated} role="alert">
          <p>{text.dialog.outdated}</p>
          <Button size="xs" variant="default" onClick={refresh}>
            {text.dialog.refresh}
          </Button>
        </div>
      )}
      {expansion.isError ? (
        <ErrorState
          title={text.dialog.errorTitle}
          error={expansion.error}
          onRetry={() => void expansion.refetch()}
        />
      ) : !view ? (
        <Progress />
      ) : changes.length === 0 ? (
        <>
          <EmptyState icon={<IconCircleCheck size={26} />} title={text.dialog.emptyTitle}>
            {view.stopped_because}
          </EmptyState>
          <Rounds view={view} />
        </>
      ) : (
        <>
          <Standings
            before={view.before}
            after={chosen.length === 0 ? view.before : (preview.data?.after ?? view.after)}
            isSettling={preview.isFetching}
          />
          <p className="pw-hint pw-leading">{view.stopped_because}</p>
          <Rounds view={view} />
          {preview.isError && (
            <ErrorState
              title={text.dialog.previewErrorTitle}
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          )}
          <ChangeList changes={changes} chosen={chosen} onChoose={setPicked} />
          {chosen.length > 0 && preview.data && (
            <details className={styles.all}>
              <summary>{text.dialog.allLines}</summary>
              <div className={styles.frame}>
                <Diff lines={preview.data.diff} label={text.dialog.allLines} height={18} />
              </div>
            </details>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

function confirmLabel(all: number, chosen: number): string {
  if (all === 0 || chosen === 0) return text.add.none;
  if (chosen === all) return all === 1 ? text.add.one : text.add.all(all);
  return text.add.some(chosen, all);
}

function Progress() {
  return (
    <div className={styles.working} role="status">
      <Loader size="sm" aria-hidden />
      <div>
        <p className="pw-bold">{text.working.title}</p>
        <p className={styles.dim}>{text.working.hint}</p>
      </div>
    </div>
  );
}

/** The rounds of the expansion, including rejected ones. */
function Rounds({ view }: { view: ExpansionView }) {
  const { rounds } = view;
  if (rounds.length === 0) return null;
  const rejected = rounds.filter((round) => !round.is_accepted).length;
  return (
    <details className={styles.rounds}>
      <summary>{text.rounds.summary(rounds.length, rejected)}</summary>
      <ol>
        {rounds.map((round) => (
          <li key={round.number} data-refused={!round.is_accepted || undefined}>
            <bdi>{round.message}</bdi>{" "}
            <span className={styles.dim}>
              {text.rounds.score(
                round.before.badge.score,
                round.after.badge.score,
                round.after.tasks,
              )}
              {!round.is_accepted && ` · ${text.rounds.rejected}`}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
