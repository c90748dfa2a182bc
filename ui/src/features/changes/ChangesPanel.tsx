/** The Changes tab: what the step or the whole run changed in files, as diffs that are loaded when opened, each with its undo. */
import { Button, SegmentedControl } from "@mantine/core";
import { IconFileDiff } from "@tabler/icons-react";
import { useState } from "react";
import type { FileChange, RunView } from "../../api/bindings";
import { useShowInFolder } from "../../api/mutations";
import { useChanges, useFileDiff } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Diff } from "../../components/Diff";
import { Exact } from "../../components/Exact";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { useShownRun } from "../run/shown";
import { count } from "../run/words";
import styles from "./Changes.module.css";
import { askUndo } from "./undo";

/** Files whose diff is open from the start; the rest open on demand. */
const openAtFirst = 4;

export default function ChangesPanel() {
  const { run, view } = useShownRun();
  const { task } = usePlace();
  const [scope, setScope] = useState<"step" | "run">("step");
  if (run === null) return <NoChanges />;
  if (!view) return <Loading label="Loading the changes" />;
  const step = stepOf(view, task);
  const isStep = scope === "step" && step !== null;
  return (
    <div className={styles.panel}>
      {step !== null && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label="Which changes"
          value={scope}
          onChange={(value) => setScope(value === "run" ? "run" : "step")}
          data={[
            { value: "step", label: `This step (${step})` },
            { value: "run", label: "Whole run" },
          ]}
        />
      )}
      <Changes view={view} task={isStep ? step : null} />
    </div>
  );
}

/** The step that is meant: the selected one if the run began it, else the one at work, else the newest that changed something. */
function stepOf(view: RunView, selected: string | null): string | null {
  const begun = view.steps.map((step) => step.task);
  if (selected && begun.includes(selected)) return selected;
  return (
    view.current?.task ??
    view.steps.filter((step) => step.changes > 0).at(-1)?.task ??
    begun.at(-1) ??
    null
  );
}

function NoChanges() {
  return (
    <EmptyState icon={<IconFileDiff size={26} />} title="Nothing was changed">
      What a run changes in files is shown here, and can be put back file by file.
    </EmptyState>
  );
}

function Changes({ view, task }: { view: RunView; task: string | null }) {
  const changes = useChanges(view.run, task);
  if (changes.isError) {
    return (
      <ErrorState
        title="The changes cannot be shown"
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
        <EmptyState icon={<IconFileDiff size={26} />} title="No file was changed">
          {task ? `${task} changed nothing that Git would track.` : "The run changed nothing yet."}
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
        <p className={styles.footer}>
          {files.length} of {count(total, "file")} are shown.
        </p>
      )}
      {canUndo && (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => askUndo({ run: view.run, task, path: null })}
          >
            {task ? `Undo ${task}…` : "Undo the whole run…"}
          </Button>
        </div>
      )}
      {ignored.length > 0 && (
        <section className={styles.footer}>
          <p>Git ignores these outputs; an undo leaves them as they are:</p>
          <ul className={styles.paths}>
            {ignored.map((path) => (
              <li key={path}>
                <Exact>{path}</Exact>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.footer}>{before} Nothing is committed for you.</p>
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
  const diff = useFileDiff(view.run, task, isOpen ? file.path : null);
  const show = useShowInFolder();
  const signs = [file.added > 0 ? `+${file.added}` : "", file.removed > 0 ? `−${file.removed}` : ""]
    .filter(Boolean)
    .join(" ");
  const kind = { added: "new", removed: "deleted" }[file.kind];
  return (
    <section className={styles.file} aria-label={file.path}>
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
        <span className={styles.signs}>
          {kind && <span>{kind} </span>}
          {signs && (
            <>
              <span aria-hidden>{signs}</span>
              <span className="pw-sr">
                {count(file.added, "line")} added, {file.removed} removed
              </span>
            </>
          )}
        </span>
        {file.is_undone ? (
          <span className={styles.signs}>undone</span>
        ) : (
          file.can_undo && (
            <button
              type="button"
              className={styles.verb}
              aria-label={`Undo ${file.path}`}
              onClick={() => askUndo({ run: view.run, task, path: file.path })}
            >
              Undo
            </button>
          )
        )}
        {file.kind !== "removed" && (
          <button
            type="button"
            className={styles.verb}
            aria-label={`Show ${file.path} in its folder`}
            onClick={() => show.mutate({ workspace: view.workspace, path: file.path })}
          >
            Show
          </button>
        )}
      </div>
      {!file.is_text && <p className={styles.note}>Not text: it cannot be shown here.</p>}
      {isOpen &&
        (diff.isError ? (
          <ErrorState
            title="The diff cannot be shown"
            error={diff.error}
            onRetry={() => void diff.refetch()}
          />
        ) : diff.data ? (
          <>
            <Diff lines={diff.data.lines} label={`Changes of ${file.path}`} />
            {diff.data.is_cut && (
              <p className={styles.note}>The rest is left out; the file has it.</p>
            )}
          </>
        ) : (
          <Loading lines={2} />
        ))}
    </section>
  );
}
