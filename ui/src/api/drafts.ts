/** One field's draft. The backend saves it within 150 ms, so it isn't lost when the window closes. Text being typed is never overwritten. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { showToast } from "../lib/toast";
import { words } from "../words";
import { putDraft } from "./draftList";
import { useDrafts } from "./queries";

const saveAfterMs = 100;

export interface DraftField {
  text: string;
  /** Whether there is a draft, typed now or saved earlier. */
  isDraft: boolean;
  /** Whether saved drafts have been read; until then `text` is the field's own value. */
  isReady: boolean;
  /** The revision on screen when a saved draft was typed. */
  revision: string | null;
  set: (text: string) => void;
  /** Deletes the draft after it was submitted or discarded. */
  drop: () => void;
}

/**
 * @param owner the plan; a workspace's path for its goal
 * @param key the field: `goal`, `task/T2/title`, `comment/T2`, `answer/<run>/<task>`
 * @param value the field's value without a draft
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

  // A draft belongs to its field, so it is written before the field changes.
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
        putDraft(cache, owner, key, text, revision).catch((error: Error) =>
          showToast({ tone: "bad", title: words.errors.draftNotSaved, message: error.message }),
        );
      };
      // The timer starts at the first unsaved keystroke, so text typed without a pause is saved too.
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
