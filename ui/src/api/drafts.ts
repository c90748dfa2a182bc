/** One field's draft: what is typed is kept by the backend within 150 ms, so that it survives the window's end, and is never overwritten while it is being typed. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { showToast } from "../lib/toast";
import type { Draft } from "./bindings";
import { keys } from "./keys";
import { saveDraft } from "./mutations";
import { useDrafts } from "./queries";

const saveAfterMs = 100;

export interface DraftField {
  text: string;
  /** Whether there is a draft, typed now or found. */
  isDraft: boolean;
  /** Whether the kept draft has been read; before that `text` is the field's own value. */
  isReady: boolean;
  /** The revision that was on screen when a found draft was typed. */
  revision: string | null;
  set: (text: string) => void;
  /** Drops the draft: it was given, or thrown away. */
  drop: () => void;
}

/**
 * @param owner the plan; a workspace's path for its goal
 * @param key the field: `goal`, `task/T2/title`, `comment/T2`, `answer/<run>/<task>`
 * @param value what the field holds without a draft
 * @param revision the revision on screen
 */
export function useDraft(
  owner: string | null,
  key: string,
  value = "",
  revision: string | null = null,
): DraftField {
  const cache = useQueryClient();
  const drafts = useDrafts(owner);
  const found = drafts.data?.find((draft) => draft.key === key);
  const [typed, setTyped] = useState<{ owner: string | null; key: string; text: string } | null>(
    null,
  );
  const waiting = useRef<{ timer: number; write: () => void } | null>(null);

  const flush = useCallback(() => {
    const due = waiting.current;
    if (!due) return;
    waiting.current = null;
    window.clearTimeout(due.timer);
    due.write();
  }, []);

  // A draft belongs to its field: what waits is written before the field becomes another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the field changes
  useEffect(() => {
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [owner, key, flush]);

  const keep = useCallback(
    (text: string, afterMs: number) => {
      if (!owner) return;
      const before = waiting.current;
      const write = () => {
        // The cache is told at once, so that the field reads the same when it is opened again.
        cache.setQueryData<Draft[]>(keys.drafts(owner), (list) => {
          const others = (list ?? []).filter((draft) => draft.key !== key);
          return text ? [...others, { key, text, revision, at_ms: Date.now() }] : others;
        });
        saveDraft(owner, key, text, revision).catch((error: Error) =>
          showToast({ tone: "bad", title: "What you type is not kept", message: error.message }),
        );
      };
      // Who types on without a pause is kept as often: the time runs from the first sign that waits.
      waiting.current = { write, timer: before?.timer ?? window.setTimeout(flush, afterMs) };
    },
    [cache, owner, key, revision, flush],
  );

  const mine = typed && typed.owner === owner && typed.key === key ? typed.text : null;
  return {
    text: mine ?? found?.text ?? value,
    isDraft: mine !== null || found !== undefined,
    isReady: !owner || drafts.isSuccess,
    revision: found?.revision ?? null,
    set: (text) => {
      setTyped({ owner, key, text });
      keep(text, saveAfterMs);
    },
    drop: () => {
      setTyped(null);
      keep("", 0);
      flush();
    },
  };
}
