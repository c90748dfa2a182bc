/** Selects the requested revision as soon as its entry is loaded. Loads a limited number of older pages to find it. */
import { useEffect, useRef } from "react";
import type { HistoryEntry } from "../../api/bindings";
import { useStore } from "../../lib/store";
import { versionRequest } from "./showVersion";

/** Maximum number of pages loaded for one request. */
const maxPages = 20;

/** The last request that was completed or given up; kept when the view is closed. */
let handled = 0;

/** @param more loads an older page; absent if there is none */
export function useVersionRequest(
  plan: string,
  entries: HistoryEntry[],
  more: (() => void) | undefined,
  select: (seq: number) => void,
): void {
  const request = useStore(versionRequest);
  const pages = useRef({ count: 0, request: 0 });
  const latest = useRef({ more, select });
  latest.current = { more, select };
  useEffect(() => {
    if (!request || request.count === handled || request.plan !== plan || entries.length === 0)
      return;
    const found = entries.find((entry) => entry.revision === request.revision);
    if (pages.current.request !== request.count)
      pages.current = { count: 0, request: request.count };
    if (found) latest.current.select(found.seq);
    else if (latest.current.more && pages.current.count < maxPages) {
      pages.current.count += 1;
      latest.current.more();
      return;
    }
    handled = request.count;
  }, [request, plan, entries]);
}
