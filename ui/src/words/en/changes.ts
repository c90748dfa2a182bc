/** English strings of `changes`: the files that a run changed, and undoing that. */
import { count } from "./count";

export const changes = {
  panel: {
    loading: "Loading changes",
    failed: "Couldn’t load the changes",
    scope: "Changes to show",
    step: (step: string) => `This step (${step})`,
    run: "Whole run",
    noRunTitle: "No changes",
    noRun: "Files changed by a run appear here. You can undo each one.",
    emptyTitle: "No files changed",
    emptyStep: (step: string) => `${step} changed no files. Files that Git ignores aren’t counted.`,
    emptyRun: "The run hasn’t changed any files yet.",
    shown: (shown: number, total: number) => `Showing ${shown} of ${count(total, "file")}.`,
    undoStep: (step: string) => `Undo ${step}…`,
    undoRun: "Undo the whole run…",
    ignored: "Git ignores these files, so undo doesn’t restore them:",
  },
  file: {
    /** Marks by kind of change; a modified file has none. */
    kinds: { added: "new", removed: "deleted" } as Record<string, string>,
    lines: (added: number, removed: number) => `${count(added, "line")} added, ${removed} removed`,
    undone: "undone",
    undo: "Undo",
    undoFile: (path: string) => `Undo ${path}`,
    wide: "Wide view",
    wideLabel: (path: string) => `Wide view of ${path}`,
    open: "Open",
    openFile: (path: string) => `Open ${path} in your editor`,
    show: "Show",
    showFile: (path: string) => `Show ${path} in its folder`,
    binary: "Binary file, not shown.",
    diffFailed: "Couldn’t load the diff",
    diffLabel: (path: string) => `Changes to ${path}`,
    diffCut: "Diff truncated. Open the file to see the rest.",
  },
  undo: {
    fileTitle: (path: string) => `Undo changes to ${path}?`,
    stepTitle: (step: string) => `Undo ${step}?`,
    runTitle: "Undo the whole run?",
    file: "Undo changes",
    step: (step: string) => `Undo ${step}`,
    run: "Undo run",
    /** `step` is null for the whole run. */
    restoresFile: (step: string | null) =>
      `Restores the file to how it was before ${step ?? "the run"}.`,
    restoresFiles: (step: string | null) =>
      `Restores the files to how they were before ${step ?? "the run"}.`,
    rest: "Later changes to other lines are kept. If the same lines changed later, the file isn’t restored and both versions are shown. Files that Git ignores aren’t restored.",
  },
  result: {
    title: "Undo result",
    close: "Close",
    nothing: "Nothing to restore.",
    restored: "Restored",
    merged: "Restored; later changes to other lines kept",
    notHeld: "Not restored: the earlier content wasn’t saved",
    ignored: "Not restored: ignored by Git",
    group: (title: string, files: number) => `${title} · ${count(files, "file")}`,
    conflict: "Not restored, because the same lines changed later:",
    bothSides: (path: string) => `Both versions of ${path}`,
  },
};
