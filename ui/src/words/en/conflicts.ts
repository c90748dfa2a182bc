/** English strings of `conflicts`: the banner, the dialog and its messages. `by` is who made the change that isn't in the
 *  file: `person`, `model`, `app` or `outside`. */
import type { ChangedBy } from "../../api/bindings";

type By<Text> = Record<ChangedBy, Text>;

const earlierSide: By<string> = {
  person: "Mine",
  model: "The agent’s",
  app: "Planwright’s",
  outside: "Earlier",
};

const keepEarlier: By<string> = {
  person: "Keep mine",
  model: "Keep the agent’s",
  app: "Keep Planwright’s",
  outside: "Keep earlier",
};

const keptEarlier: By<(where: string) => string> = {
  person: (where) => `Kept your version in ${where}`,
  model: (where) => `Kept the agent’s version in ${where}`,
  app: (where) => `Kept Planwright’s version in ${where}`,
  outside: (where) => `Kept the earlier version in ${where}`,
};

const copyEarlier: By<string> = {
  person: "Copy mine",
  model: "Copy the agent’s",
  app: "Copy Planwright’s",
  outside: "Copy earlier",
};

const explanation: By<string> = {
  person:
    "You and another program changed the same lines. The file has theirs; yours are kept here until you choose.",
  model:
    "The agent and another program changed the same lines. The file has the other program’s; the agent’s are kept here until you choose.",
  app: "Planwright and another program changed the same lines. The file has the other program’s; Planwright’s are kept here until you choose.",
  outside:
    "Two other programs changed the same lines. The file has the later change; the earlier one is kept here until you choose.",
};

export const conflicts = {
  banner: {
    label: "Conflicts",
    title: (all: number, own: number) => {
      if (own === all) {
        return all === 1
          ? "Your edit conflicts with one on disk."
          : `${all} of your edits conflict with changes on disk.`;
      }
      return all === 1
        ? "Another program overwrote a change it hadn’t seen."
        : `Other programs overwrote ${all} changes they hadn’t seen${own ? `, ${own} of them yours` : ""}.`;
    },
    kept: "Both versions are kept until you choose.",
    show: "Show conflicts…",
    showTooltip: (keys: string) => `Show conflicts (${keys})`,
    resolve: "Resolve…",
  },
  dialog: {
    title: "Resolve conflicts",
    loading: "Loading conflicts",
    failed: "Couldn’t load the conflicts",
    emptyTitle: "All conflicts resolved",
    empty: "Every version is in the history.",
    close: "Close",
    keepMine: keepEarlier,
    keepTheirs: "Keep the file’s",
    keepBoth: "Keep both",
    next: "Next conflict",
    previous: "Previous conflict",
    position: (at: number, total: number, time: string) => `${at} of ${total} · found ${time}`,
    explanation,
    changedAgain:
      "The lines changed again, so nothing was written. Review them again, then choose.",
    readOnly: "This plan is read-only, so you can only keep the file’s version.",
  },
  sides: {
    base: "Original",
    mine: earlierSide,
    theirs: "In the file",
    lines: (side: string) => `Lines: ${side}`,
    deleted: "The lines were deleted.",
    none: "No lines",
  },
  resolved: {
    mine: keptEarlier,
    theirs: (where: string) => `Kept the file’s version in ${where}`,
    both: (where: string) => `Kept both versions in ${where}`,
    copyMine: copyEarlier,
    notCopied: "Couldn’t copy the lines",
  },
};
