/** The revision that would be approved: the one on screen when the dialog opened. When the plan changes, it stays the same until the person asks for the new one. */
import { useEffect, useRef, useState } from "react";
import type { ApprovalView } from "../../api/bindings";
import { useApproval } from "../../api/queries";

export interface Seen {
  /** The revision that is shown and would be approved. */
  revision: string;
  /** Whether the plan has a newer revision. */
  isOutdated: boolean;
  /** The steps that the approval would let run; `undefined` while loading. */
  view: ApprovalView | undefined;
  error: Error | null;
  isReading: boolean;
  /** Whether reloading failed, so that `view` may be out of date. */
  isStale: boolean;
  /** How long the steps have been on screen, in milliseconds; `null` while they aren't. */
  shownMs: () => number | null;
  /** Switches to the current revision. */
  readNew: () => void;
  retry: () => void;
}

/** @param now the current revision of the plan */
export function useSeenRevision(plan: string, now: string, upto: string | null): Seen {
  const [revision, setRevision] = useState(now);
  const approval = useApproval(plan, revision, upto);
  const isOutdated = revision !== now;
  const isShown = approval.data !== undefined;
  const since = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time restarts with another revision
  useEffect(() => {
    since.current = isShown ? performance.now() : null;
  }, [isShown, revision]);
  return {
    revision,
    isOutdated,
    view: approval.data,
    error: approval.data ? null : approval.error,
    isReading: approval.isFetching,
    isStale: approval.isError,
    shownMs: () => (since.current === null ? null : Math.round(performance.now() - since.current)),
    readNew: () => setRevision(now),
    retry: () => void approval.refetch(),
  };
}
