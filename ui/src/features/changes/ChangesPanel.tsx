/** The Changes tab: files changed by a step or the whole run, with their diffs and undo. A diff loads when it is opened. */
import { Button, SegmentedControl } from "@mantine/core";
import { IconFileDiff } from "@tabler/icons-react";
import { useState } from "react";
import type { DiffLine, FileChange, RunView } from "../../api/bindings";
import { useOpenInEditor, useShowInFolder } from "../../api/mutations";
import { useChanges, useFileDiff } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Dialog } from "../../components/Dialog";
import { Diff } from "../../components/Diff";
import { Exact } from "../../components/Exact";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { useShownRun } from "../run/shown";
import styles from "./Changes.module.css";
import { askUndo } from "./undo";

const { panel: texts, file: fileTexts } = words.changes;

/** Number of files whose diffs are open at first. */
const openAtFirst = 4;
/** The dialog with a wide diff: its width in pixels, and the number of visible lines. */
const wide = { size: 1080, lines: 34 };

export default function ChangesPanel() {
  const { run, view } = useShownRun();
  const { task } = usePlace();
  const [scope, setScope] = useState<"step" | "run">("step");
  if (run === null) return <NoChanges />;
  if (!view) return <Loading label={texts.loading} />;
  const step = stepOf(view, task);
  const isStep = scope === "step" && step !== null;
  return (
    <div className={styles.panel}>
      {step !== null && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={texts.scope}
          value={scope}
          onChange={(value) => setScope(value === "run" ? "run" : "step")}
          data={[
            { value: "step", label: texts.step(step) },
            { value: "run", label: texts.run },
          ]}
        />
      )}
      <Changes view={view} task={isStep ? step : null} />
    </div>
  );
}

/** The step to show: the selected one if the run has started it, or else the current one, or else the last one that changed files, or else the last one that was started. */
function stepOf(view: RunView, selected: string | null): string | null {
  const started = view.steps.map((step) => step.task);
  if (selected && started.includes(selected)) return selected;
  return (
    view.current?.task ??
    view.steps.filter((step) => step.changes > 0).at(-1)?.task ??
    started.at(-1) ??
    null
  );
}

function NoChanges() {
  return (
    <EmptyState icon={<IconFileDiff size={26} />} title={texts.noRunTitle}>
      {texts.noRun}
    </EmptyState>
  );
}

function Changes({ view, task }: { view: RunView; task: string | null }) {
  const changes = useChanges(view.run, task);
  if (changes.isError) {
    return (
      <ErrorState
        title={texts.failed}
        error={changes.error}
        onRetry={() => void changes.refetch()}
      />
    );
  }
  if (!changes.data) return <Loading />;
  const { files, count: total, ignored, before } = changes.data;
  const canUndo = files.some((file) => file.can_undo && !file.is_undone);
  return (
    <>
      {files.length === 0 && (
        <EmptyState icon={<IconFileDiff size={26} />} title={texts.emptyTitle}>
          {task ? texts.emptyStep(task) : texts.emptyRun}
        </EmptyState>
      )}
      {files.map((file, at) => (
        <OneFile
          key={`${task}:${file.path}`}
          view={view}
          task={task}
          file={file}
          isFirst={at < openAtFirst}
        />
      ))}
      {total > files.length && (
        <p className="pw-hint pw-leading-16">{texts.shown(files.length, total)}</p>
      )}
      {canUndo && (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => askUndo({ run: view.run, task, path: null })}
          >
            {task ? texts.undoStep(task) : texts.undoRun}
          </Button>
        </div>
      )}
      {ignored.length > 0 && (
        <section className="pw-hint pw-leading-16">
          <p>{texts.ignored}</p>
          <ul className={styles.paths}>
            {ignored.map((path) => (
              <li key={path}>
                <Exact>{path}</Exact>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="pw-hint pw-leading-16">{before}</p>
    </>
  );
}

interface OneFileProps {
  view: RunView;
  task: string | null;
  file: FileChange;
  isFirst: boolean;
}

function OneFile({ view, task, file, isFirst }: OneFileProps) {
  const [isOpen, setOpen] = useState(isFirst && file.is_text);
  const [isWide, setWide] = useState(false);
  const diff = useFileDiff(view.run, task, isOpen || isWide ? file.path : null);
  const show = useShowInFolder();
  const editor = useOpenInEditor();
  const signs = [file.added > 0 ? `+${file.added}` : "", file.removed > 0 ? `−${file.removed}` : ""]
    .filter(Boolean)
    .join(" ");
  const kind = fileTexts.kinds[file.kind];
  return (
    <section className="pw-card pw-clip" aria-label={file.path}>
      <div className={styles.fileHead}>
        <button
          type="button"
          className={styles.path}
          aria-expanded={isOpen}
          disabled={!file.is_text}
          onClick={() => setOpen(!isOpen)}
        >
          <Exact>{file.path}</Exact>
        </button>
        <span className="pw-hint pw-rigid pw-numbers">
          {kind && <span>{kind} </span>}
          {signs && (
            <>
              <span aria-hidden>{signs}</span>
              <span className="pw-sr">{fileTexts.lines(file.added, file.removed)}</span>
            </>
          )}
        </span>
        {file.is_text && (
          <button
            type="button"
            className={styles.verb}
            aria-label={fileTexts.wideLabel(file.path)}
            aria-haspopup="dialog"
            onClick={() => setWide(true)}
          >
            {fileTexts.wide}
          </button>
        )}
        {file.is_undone ? (
          <span className="pw-hint pw-rigid pw-numbers">{fileTexts.undone}</span>
        ) : (
          file.can_undo && (
            <button
              type="button"
              className={styles.verb}
              aria-label={fileTexts.undoFile(file.path)}
              onClick={() => askUndo({ run: view.run, task, path: file.path })}
            >
              {fileTexts.undo}
            </button>
          )
        )}
        {file.kind !== "removed" && (
          <button
            type="button"
            className={styles.verb}
            aria-label={fileTexts.openFile(file.path)}
            onClick={() =>
              editor.mutate({
                workspace: view.workspace,
                path: file.path,
                line: firstChange(diff.data?.lines),
              })
            }
          >
            {fileTexts.open}
          </button>
        )}
        {file.kind !== "removed" && (
          <button
            type="button"
            className={styles.verb}
            aria-label={fileTexts.showFile(file.path)}
            onClick={() => show.mutate({ workspace: view.workspace, path: file.path })}
          >
            {fileTexts.show}
          </button>
        )}
      </div>
      {!file.is_text && <p className={styles.note}>{fileTexts.binary}</p>}
      {isOpen && <FileDiff path={file.path} diff={diff} />}
      {isWide && (
        <Dialog title={file.path} size={wide.size} onClose={() => setWide(false)}>
          <div className="pw-frame pw-clip">
            <FileDiff path={file.path} diff={diff} lines={wide.lines} />
          </div>
        </Dialog>
      )}
    </section>
  );
}

/** The line of the first change that is still in the file, if the diff is loaded. */
function firstChange(lines: DiffLine[] | undefined): number | null {
  const first = lines?.findIndex(({ kind }) => kind === "added" || kind === "removed") ?? -1;
  if (!lines || first < 0) return null;
  return lines.slice(first).find((line) => line.new !== null)?.new ?? null;
}

interface FileDiffProps {
  path: string;
  diff: ReturnType<typeof useFileDiff>;
  /** Maximum number of visible lines; longer diffs scroll. */
  lines?: number;
}

function FileDiff({ path, diff, lines }: FileDiffProps) {
  if (diff.isError) {
    return (
      <ErrorState
        title={fileTexts.diffFailed}
        error={diff.error}
        onRetry={() => void diff.refetch()}
      />
    );
  }
  if (!diff.data) return <Loading lines={2} />;
  return (
    <>
      <Diff lines={diff.data.lines} label={fileTexts.diffLabel(path)} height={lines} />
      {diff.data.is_cut && <p className={styles.note}>{fileTexts.diffCut}</p>}
    </>
  );
}
