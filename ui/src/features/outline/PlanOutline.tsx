/** The outline of one plan. Selection and the open row are part of the place, so they survive a restart; drags, the line for a new step and dialogs are local state. */
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Outline, TaskPlace } from "../../api/bindings";
import { useDrafts } from "../../api/queries";
import { usePlace } from "../../app/place";
import { EmptyState, ErrorState } from "../../components/States";
import { words } from "../../words";
import { OpenQuestion } from "../asking/OpenQuestion";
import { showFindings } from "../findings/showFindings";
import { useFixing } from "../findings/useFixing";
import { AddTask } from "./AddTask";
import { ConflictDialog } from "./ConflictDialog";
import { ConvertDialog } from "./ConvertDialog";
import { DeleteDialog } from "./DeleteDialog";
import { DeletePickedDialog } from "./DeletePickedDialog";
import { useMarks } from "./marks";
import { lastPlace } from "./moves";
import styles from "./Outline.module.css";
import { OutlineTools, PickBar } from "./OutlineTools";
import { PlanHead } from "./PlanHead";
import { PlanNotices } from "./PlanNotices";
import { RowList } from "./RowList";
import { SplitDialog } from "./SplitDialog";
import { type Adding, useEditing } from "./useEditing";
import { useFoldAll } from "./useFoldAll";
import { useOutlineActions } from "./useOutlineActions";
import { usePicks } from "./usePicks";
import { useRowWindow } from "./useRowWindow";
import { useSelection } from "./useSelection";
import { useStepVerbs } from "./useStepVerbs";
import { setView } from "./view";

export function PlanOutline({ outline }: { outline: Outline }) {
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = usePlace();
  const [pinned, setPinned] = useState<number | null>(null);
  const fixing = useFixing(outline);
  const [isHeadOpen, setHeadOpen] = useState(false);

  const rowWindow = useRowWindow(outline, { scroller, head, list }, pinned);
  const selection = useSelection(rowWindow, list);
  const editing = useEditing(outline, rowWindow, selection);
  const picks = usePicks(rowWindow, selection);
  const verbs = useStepVerbs(rowWindow, selection, editing, picks);
  const marks = useMarks(place.run ?? outline.run);
  useAddingRestored(outline.plan, editing.setAdding);

  const onFindings = useCallback(
    (task: string) => {
      selection.select(task);
      showFindings();
    },
    [selection.select],
  );

  // The fix button disappears with its finding, so focus moves to the row.
  const { focus } = selection;
  const { fix } = fixing;
  const onFix = useCallback(
    (finding: string, wantsPreview: boolean) => {
      if (!wantsPreview) focus();
      fix(finding, 0, wantsPreview);
    },
    [fix, focus],
  );

  const foldAll = useFoldAll(rowWindow);
  useOutlineActions({
    outline,
    rowWindow,
    selection,
    editing,
    picks,
    verbs,
    foldAll,
    openHead: () => setHeadOpen(true),
  });

  const { setDeleting } = editing;
  const closeDelete = useCallback(() => setDeleting(null), [setDeleting]);
  const { setDeletingPicked } = verbs;
  const closePicked = useCallback(() => setDeletingPicked(false), [setDeletingPicked]);
  const { shown } = rowWindow;
  const atEnd = editing.adding?.at === "end";
  const placeAtEnd = (): Promise<TaskPlace> => lastPlace(rowWindow.reader.read, shown.rows);

  return (
    <div className={styles.scroller} ref={scroller}>
      <div className={styles.content}>
        <div ref={head}>
          <PlanHead
            outline={outline}
            isOpen={isHeadOpen}
            onOpen={setHeadOpen}
            onUndo={editing.send.undo}
            onRedo={editing.send.redo}
          />
          <OpenQuestion plan={outline.plan} />
          <PlanNotices outline={outline} onTask={selection.select} />
          <OutlineTools outline={outline} rowWindow={rowWindow} onFoldAll={foldAll} />
        </div>
        {rowWindow.error && <ErrorState title={words.outline.loadFailed} error={rowWindow.error} />}
        <div ref={list} className={styles.list}>
          <RowList
            outline={outline}
            rowWindow={rowWindow}
            list={list}
            marks={marks}
            selection={selection}
            editing={editing}
            onPin={setPinned}
            onFix={onFix}
            onFindings={onFindings}
            picks={picks}
            verbs={verbs}
          />
        </div>
        {shown.rows > 0 && rowWindow.order.lines === 0 && (
          <EmptyState title={words.outline.noMatches}>
            <Button
              size="compact-xs"
              variant="light"
              onClick={() => setView(outline.plan, { only: [], words: "" })}
            >
              {words.outline.showAll}
            </Button>
          </EmptyState>
        )}
        <PickBar
          picks={picks}
          isWritable={outline.is_writable}
          isBusy={verbs.isBusy}
          onDelete={() => verbs.setDeletingPicked(true)}
          onMerge={verbs.merge}
          onIndent={verbs.indent}
          onOutdent={verbs.outdent}
          onTick={verbs.tick}
          onBy={verbs.setBy}
        />
        {shown.rows === 0 && !atEnd && (
          <EmptyState title={words.outline.emptyTitle}>
            {outline.is_writable ? words.outline.emptyHint : words.outline.emptyHintReadOnly}
          </EmptyState>
        )}
        {atEnd ? (
          <AddTask
            plan={outline.plan}
            revision={shown.revision}
            placeKey="end"
            placeOf={placeAtEnd}
            where={words.outline.addTask.atEnd}
            onAdded={editing.onAdded}
            onPasted={editing.onPasted}
            onClose={editing.closeAdding}
          />
        ) : (
          outline.is_writable && (
            <Button
              className={styles.add}
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => editing.setAdding({ at: "end" })}
            >
              {words.outline.addStep}
            </Button>
          )
        )}
      </div>
      <DeleteDialog
        outline={shown}
        task={editing.deleting}
        isBusy={editing.isBusy}
        onDelete={editing.onDelete}
        onClose={closeDelete}
      />
      <DeletePickedDialog
        outline={shown}
        tasks={verbs.isDeletingPicked ? picks.tasks : null}
        isBusy={verbs.isBusy}
        onDelete={verbs.deletePicked}
        onClose={closePicked}
      />
      {verbs.splitting && (
        <SplitDialog
          key={verbs.splitting}
          outline={shown}
          task={verbs.splitting}
          isBusy={verbs.isBusy}
          onSplit={verbs.split}
          onClose={() => verbs.setSplitting(null)}
        />
      )}
      <ConvertDialog outline={shown} send={editing.send} />
      {fixing.dialog}
      <ConflictDialog />
    </div>
  );
}

/** Reopens the line for a new step when there is a draft of its title. */
function useAddingRestored(plan: string, setAdding: (adding: Adding | null) => void): void {
  const drafts = useDrafts(plan);
  const isDone = useRef(false);
  useEffect(() => {
    if (!drafts.data || isDone.current) return;
    isDone.current = true;
    const key = drafts.data.find((draft) => draft.key.startsWith("add/"))?.key;
    const [, at, task] = key?.match(/^add\/(end|after|under)(?:\/(.*))?$/) ?? [];
    if (at === "end") setAdding({ at });
    else if ((at === "after" || at === "under") && task) setAdding({ at, task });
  }, [drafts.data, setAdding]);
}
