/** What a plan could grow by, change by change. Nothing is written before the button with the number is pressed; then it is one edit, and one undo takes it back. */
import { Button, Loader } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useExpansion, usePreviewExpansion } from "../../api/adequacy";
import type { ExpansionView, Outline } from "../../api/bindings";
import { cancelExpansion } from "../../api/mutations";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { EmptyState, ErrorState } from "../../components/States";
import { useSend } from "../outline/useSend";
import { count } from "../run/words";
import { ChangeList } from "./ChangeList";
import styles from "./Expansion.module.css";
import { closeExpansion } from "./open";
import { Standings } from "./Standings";

export default function ExpansionDialog({ outline }: { outline: Outline }) {
  const { plan } = outline;
  // What was worked out is of one revision; the person decides when it is worked out anew.
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
    ? "The plan has changed since: look again first."
    : !view
      ? "Waits until it is known what is missing."
      : changes.length === 0
        ? "There is nothing to add."
        : chosen.length === 0
          ? "Choose a change."
          : preview.isError
            ? "What these changes make of the plan is not known."
            : null;

  const apply = async () => {
    setBusy(true);
    const outcome = await send.expand(revision, chosen);
    setBusy(false);
    if (!outcome) return;
    closeExpansion();
    if (outcome.outcome === "written") {
      send.offerUndo(`Expanded: ${count(chosen.length, "change")}`, outcome.revision);
    }
  };
  const close = () => {
    if (!view && expansion.isFetching) void cancelExpansion(plan).catch(() => undefined);
    closeExpansion();
  };
  const lookAgain = () => {
    setPicked(null);
    setRevision(outline.revision);
  };

  return (
    <ConfirmDialog
      opened
      title="Expand the plan"
      size={820}
      confirm={confirmWords(changes.length, chosen.length)}
      cancel={view && changes.length > 0 ? "Cancel" : view ? "Close" : "Stop"}
      busy={isBusy}
      blocked={blocked}
      onClose={close}
      onConfirm={() => void apply()}
    >
      {isOutdated && (
        <div className={styles.outdated} role="alert">
          <p>The plan was changed while this was open. What is below is of before.</p>
          <Button size="xs" variant="default" onClick={lookAgain}>
            Look again
          </Button>
        </div>
      )}
      {expansion.isError ? (
        <ErrorState
          title="It could not be worked out"
          error={expansion.error}
          onRetry={() => void expansion.refetch()}
        />
      ) : !view ? (
        <Working />
      ) : changes.length === 0 ? (
        <>
          <EmptyState icon={<IconCircleCheck size={26} />} title="Nothing to expand">
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
          <p className={styles.because}>{view.stopped_because}</p>
          <Rounds view={view} />
          {preview.isError && (
            <ErrorState
              title="These changes do not go together"
              error={preview.error}
              onRetry={() => void preview.refetch()}
            />
          )}
          <ChangeList changes={changes} chosen={chosen} onChoose={setPicked} />
          {chosen.length > 0 && preview.data && (
            <details className={styles.all}>
              <summary>All lines that would change</summary>
              <div className={styles.frame}>
                <Diff lines={preview.data.diff} label="All lines that would change" height={18} />
              </div>
            </details>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}

function confirmWords(all: number, chosen: number): string {
  if (all === 0 || chosen === 0) return "Add the changes";
  if (chosen === all) return all === 1 ? "Add this change" : `Add all ${all} changes`;
  return `Add ${chosen} of ${all} changes`;
}

function Working() {
  return (
    <div className={styles.working} role="status">
      <Loader size="sm" aria-hidden />
      <div>
        <p className={styles.workingTitle}>Working out what is missing</p>
        <p className={styles.dim}>
          In a few bounded rounds. Nothing is written; stopping leaves the plan as it is.
        </p>
      </div>
    </div>
  );
}

/** What each round did, the refused ones too. */
function Rounds({ view }: { view: ExpansionView }) {
  const { rounds } = view;
  if (rounds.length === 0) return null;
  const refused = rounds.filter((round) => !round.is_accepted).length;
  return (
    <details className={styles.rounds}>
      <summary>
        {count(rounds.length, "round")}
        {refused > 0 && `, ${refused} refused`}
      </summary>
      <ol>
        {rounds.map((round) => (
          <li key={round.number} data-refused={!round.is_accepted || undefined}>
            <bdi>{round.message}</bdi>{" "}
            <span className={styles.dim}>
              {round.before.badge.score} → {round.after.badge.score},{" "}
              {count(round.after.tasks, "task")}
              {!round.is_accepted && " · refused"}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
