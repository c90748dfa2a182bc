/** English strings of `conflicts`: the banner, the dialog and its messages. */
export const conflicts = {
  banner: {
    label: "Conflicts",
    title: (n: number) =>
      n === 1
        ? "Your edit conflicts with one on disk."
        : `${n} of your edits conflict with changes on disk.`,
    kept: "Both versions are kept until you choose.",
    show: "Show conflicts…",
    showTooltip: (keys: string) => `Show conflicts (${keys})`,
    resolve: "Resolve…",
  },
  dialog: {
    title: "Resolve conflicts",
    loading: "Loading conflicts",
    failed: "Couldn't load the conflicts",
    emptyTitle: "All conflicts resolved",
    empty: "Every version is in the history.",
    close: "Close",
    keepMine: "Keep mine",
    keepTheirs: "Keep theirs",
    keepBoth: "Keep both",
    next: "Next conflict",
    previous: "Previous conflict",
    position: (at: number, total: number, time: string) => `${at} of ${total} · found ${time}`,
    explanation:
      "You and another program changed the same lines. The file has theirs; yours are kept here until you choose.",
    changedAgain:
      "The lines changed again, so nothing was written. Look at them again, then choose.",
    readOnly: "This plan is read-only, so you can only keep theirs.",
  },
  sides: {
    base: "Original",
    mine: "Mine",
    theirs: "Theirs (in the file)",
    lines: (side: string) => `Lines: ${side}`,
    deleted: "The lines were deleted.",
    none: "No lines",
  },
  resolved: {
    mine: (where: string) => `Kept yours in ${where}`,
    theirs: (where: string) => `Kept theirs in ${where}`,
    both: (where: string) => `Kept both in ${where}`,
    copyMine: "Copy mine",
    notCopied: "Couldn't copy your lines",
  },
};
