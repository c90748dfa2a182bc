/** Chooses the version that was asked for, as soon as its entry is there; older pages are fetched for it, a bounded number of them. */
import { useEffect, useRef } from "react";
import type { HistoryEntry } from "../../api/bindings";
import { useStore } from "../../lib/store";
import { versionAsked } from "./asked";

/** Pages that are fetched for one request. */
const mostPages = 20;

/** The last request that was met, or given up. One from before the view was open counts. */
let met = 0;

/** @param more fetches an older page; absent when there is none */
export function useAskedVersion(
  plan: string,
  entries: HistoryEntry[],
  more: (() => void) | undefined,
  choose: (seq: number) => void,
): void {
  const asked = useStore(versionAsked);
  const pages = useRef({ count: 0, of: 0 });
  const doing = useRef({ more, choose });
  doing.current = { more, choose };
  useEffect(() => {
    if (!asked || asked.count === met || asked.plan !== plan || entries.length === 0) return;
    const found = entries.find((entry) => entry.revision === asked.revision);
    if (pages.current.of !== asked.count) pages.current = { count: 0, of: asked.count };
    if (found) doing.current.choose(found.seq);
    else if (doing.current.more && pages.current.count < mostPages) {
      pages.current.count += 1;
      doing.current.more();
      return;
    }
    met = asked.count;
  }, [asked, plan, entries]);
}
