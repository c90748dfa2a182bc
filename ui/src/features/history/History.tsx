/** The History view: the revisions of a plan, the changes between any two, and restoring one. */
import { Button, SegmentedControl } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useState } from "react";
import type { HistoryEntry, Outline } from "../../api/bindings";
import { useHistory, useOutline } from "../../api/queries";
import { setPlace, usePlace } from "../../app/place";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { keyWords } from "../../lib/keyText";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import { ConflictDialog } from "../outline/ConflictDialog";
import { showTask } from "../outline/showTask";
import { useSend } from "../outline/useSend";
import { ComparisonView, type Shown } from "./ComparisonView";
import { EntryList } from "./EntryList";
import { ago, entryTitle } from "./format";
import styles from "./History.module.css";
import { Pickers } from "./Pickers";
import { RestoreDialog, type Restoring } from "./RestoreDialog";
import {
  atNewest,
  type Chosen,
  chosenSeq,
  comparedOf,
  markOther,
  pick,
  select,
  toggleMark,
  type Version,
  withNow,
} from "./sides";
import { useHistoryActions } from "./useHistoryActions";
import { useVersionRequest } from "./useVersionRequest";

const text = words.history;

export default function HistoryTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  if (!outline) return <Loading lines={6} label={text.loading} />;
  return <PlanHistory key={outline.plan} outline={outline} />;
}

function PlanHistory({ outline }: { outline: Outline }) {
  const { plan, revision: now } = outline;
  const history = useHistory(plan);
  const entries = history.data ?? none;
  const [chosen, setChosen] = useState<Chosen>(atNewest);
  const [shown, setShown] = useState<Shown>("tasks");
  const [restoring, setRestoring] = useState<Restoring | null>(null);
  const send = useSend(plan);

  const at = chosenSeq(chosen, entries);
  const { entry, from, to } = comparedOf(chosen, entries, now);
  const target = restorable(entry, from, now);
  const canRestore = target !== null && outline.is_writable;
  const canSwap = from !== null && from.side !== null && to !== null && to.side !== null;

  const more = () => {
    if (history.hasNextPage && !history.isFetchingNextPage) void history.fetchNextPage();
  };
  useVersionRequest(
    plan,
    entries,
    history.hasNextPage ? () => void history.fetchNextPage() : undefined,
    (seq) => setChosen(select(atNewest, seq)),
  );
  const step = (by: number) => {
    const next = entries.findIndex((one) => one.seq === at) + by;
    if (next >= entries.length - 1) more();
    const found = entries[next];
    if (found) setChosen(select(chosen, found.seq));
  };
  const swap = () => {
    if (at !== null && canSwap && from?.side != null && to?.side != null) {
      setChosen({ at, marked: null, picked: { from: to.side, to: from.side } });
    }
  };
  const restore = () => {
    if (target && canRestore) setRestoring({ revision: target.revision, name: nameOf(target) });
  };
  const ifChosen = (change: (seq: number) => Chosen) => () => {
    if (at !== null) setChosen(change(at));
  };
  const compareNow = ifChosen(withNow);

  useHistoryActions({
    hasEntry: at !== null,
    hasMore: history.hasNextPage,
    canSwap,
    canRestore,
    canUndo: outline.undo !== null,
    canRedo: outline.redo !== null,
    step,
    mark: ifChosen((seq) => toggleMark(chosen, seq)),
    compareCurrent: compareNow,
    comparePrevious: ifChosen((seq) => ({ at: seq, marked: null, picked: null })),
    swap,
    toggleView: () => setShown(shown === "tasks" ? "text" : "tasks"),
    restore,
    more,
    undo: () => void send.undo(),
    redo: () => void send.redo(),
  });

  if (history.isError && entries.length === 0) {
    return (
      <ErrorState
        title={text.loadFailed}
        error={history.error}
        onRetry={() => void history.refetch()}
      />
    );
  }
  if (history.isPending) return <Loading lines={6} label={text.loading} />;
  if (at === null) {
    return (
      <EmptyState icon={<IconHistory size={28} />} title={text.emptyTitle}>
        {text.emptyHint}
      </EmptyState>
    );
  }
  return (
    <div className={styles.history}>
      <EntryList
        entries={entries}
        at={at}
        marked={chosen.marked}
        now={now}
        hasMore={history.hasNextPage}
        isFetching={history.isFetchingNextPage}
        onSelect={(seq) => setChosen(select(chosen, seq))}
        onMark={(seq) => setChosen(markOther(chosen, at, seq))}
        onMore={more}
      />
      <section className={styles.right} aria-label={text.comparison.label}>
        <h1 className="pw-sr">{text.heading(outline.title || outline.path)}</h1>
        <div className={styles.bar}>
          <SegmentedControl
            size="xs"
            aria-label={text.comparison.as}
            value={shown}
            onChange={(value) => setShown(value === "text" ? "text" : "tasks")}
            data={[
              { value: "tasks", label: text.comparison.steps },
              { value: "text", label: text.comparison.text },
            ]}
          />
          <Button
            className={styles.withNow}
            size="compact-sm"
            variant="subtle"
            title={text.comparison.withCurrentHint(keyWords("n"))}
            disabled={entry?.revision === now}
            onClick={compareNow}
          >
            {text.comparison.withCurrent}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!canRestore}
            title={text.comparison.restoreHint(keyWords("shift+r"))}
            onClick={restore}
          >
            {target && target.revision === entry?.revision
              ? text.comparison.restoreThis
              : text.comparison.restorePrevious}
          </Button>
        </div>
        <Pickers
          entries={entries}
          from={from}
          to={to}
          onPick={(one, other) => setChosen(pick(chosen, at, one, other))}
          onSwap={swap}
        />
        <p className={styles.hint}>
          {outline.is_writable
            ? target
              ? text.comparison.willRestore(nameOf(target))
              : text.comparison.nothingToRestore
            : text.comparison.readOnly}{" "}
          {text.comparison.anyTwo(keyWords("m"))}
        </p>
        <ComparisonView
          plan={plan}
          from={from?.revision ?? ""}
          to={to?.revision ?? null}
          shown={shown}
          onShown={setShown}
          onTask={to?.revision === now ? goToTask : undefined}
        />
      </section>
      <ConflictDialog />
      <RestoreDialog outline={outline} restoring={restoring} onClose={() => setRestoring(null)} />
    </div>
  );
}

const none: HistoryEntry[] = [];

function goToTask(task: string): void {
  setPlace({ view: "outline" });
  showTask(task);
}

/** The revision that Restore restores: the selected one, or the one it is compared with if that is the current one. */
function restorable(entry: HistoryEntry | null, from: Version | null, now: string): Version | null {
  if (entry && entry.revision !== now) return { side: entry.seq, revision: entry.revision, entry };
  return from && from.revision !== now ? from : null;
}

function nameOf({ entry, revision }: Version): string {
  return entry
    ? text.revision.entry(entryTitle(entry), ago(entry.at_ms, Date.now()))
    : text.revision.unlisted(shortRevision(revision));
}
