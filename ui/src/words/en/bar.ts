/** English strings of `bar`: the bar at the bottom of the window. */
import { count } from "./count";

export const bar = {
  primaryAction: "Primary action",
  copyRevision: "Copy revision ID",
  copyRevisionLabel: (revision: string) => `Copy ID of revision ${revision}`,
  copyRevisionTooltip: "Copy full revision ID",
  revision: (revision: string) => `revision ${revision}`,
  findings: (n: number) => count(n, "finding"),
  steps: (done: number, total: number) =>
    done > 0 ? `${done}/${count(total, "step")}` : count(total, "step"),
  moreActions: "More actions",
  revisionCopied: "Revision ID copied",
  copyFailed: "Couldn’t copy the revision ID",
};
