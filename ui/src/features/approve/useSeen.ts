/** The revision that an approval is about: the one on screen when it was asked for. When the plan moves on, it stays what it was until the person asks for the new one. */
import { useEffect, useRef, useState } from "react";
import type { ApprovalView } from "../../api/bindings";
import { useApproval } from "../../api/queries";

export interface Seen {
  /** The revision that is shown and would be approved. */
  revision: string;
  /** Whether the plan reads otherwise now. */
  isOutdated: boolean;
  /** What the approval would let run; `undefined` while it is read. */
  view: ApprovalView | undefined;
  error: Error | null;
  isReading: boolean;
  /** Whether it could not be read again, so that what is shown may not be so any more. */
  isStale: boolean;
  /** How long its steps have been on screen, in milliseconds; `null` while they are not. */
  shownMs: () => number | null;
  /** Takes the plan as it is now. */
  readNew: () => void;
  retry: () => void;
}

/** @param now the revision that the plan has now */
export function useSeen(plan: string, now: string, upto: string | null): Seen {
  const [revision, setRevision] = useState(now);
  const approval = useApproval(plan, revision, upto);
  const isOutdated = revision !== now;
  const isShown = approval.data !== undefined;
  const since = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is read from its beginning
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
