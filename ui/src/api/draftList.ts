/** Reads and writes a plan's drafts. An answer that was requested before a write never brings back the old text. For one field, see `useDraft`. */
import type { QueryClient } from "@tanstack/react-query";
import { commands, type Draft } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** A write of a draft; an empty text means that the draft was deleted. */
interface Written extends Draft {
  /** The value of `clock` when the write ended. */
  endedAt: number;
}

/** The last write of each draft, by owner and key. */
const writes = new Map<string, Map<string, Written>>();
/** A counter that orders the starts of reads and the ends of writes. */
let clock = 0;

function tick(): number {
  clock += 1;
  return clock;
}

/** Saves a draft; an empty text deletes it. */
export function saveDraft(
  owner: string,
  key: string,
  text: string,
  revision: string | null,
): Promise<null> {
  const write = { key, text, revision, at_ms: Date.now(), endedAt: Number.POSITIVE_INFINITY };
  const ofOwner = writes.get(owner) ?? new Map<string, Written>();
  writes.set(owner, ofOwner.set(key, write));
  return ask(commands.saveDraft(owner, key, text, revision)).finally(() => {
    write.endedAt = tick();
  });
}

/** The saved drafts, with the writes that the answer may not contain yet. */
export async function readDrafts(owner: string): Promise<Draft[]> {
  const askedAt = tick();
  const list = await ask(commands.drafts(owner));
  const newer = new Map<string, Written>();
  for (const [key, write] of writes.get(owner) ?? []) {
    if (write.endedAt > askedAt) newer.set(key, write);
    else writes.get(owner)?.delete(key);
  }
  const kept = list.filter((draft) => !newer.has(draft.key));
  for (const { endedAt: _, ...draft } of newer.values()) if (draft.text) kept.push(draft);
  return kept;
}

/** Saves a draft and updates the cache at once, so that a reopened field shows the same text. */
export function putDraft(
  cache: QueryClient,
  owner: string,
  key: string,
  text: string,
  revision: string | null,
): Promise<null> {
  cache.setQueryData<Draft[]>(keys.drafts(owner), (list) => {
    const others = (list ?? []).filter((draft) => draft.key !== key);
    return text ? [...others, { key, text, revision, at_ms: Date.now() }] : others;
  });
  return saveDraft(owner, key, text, revision);
}

/** Deletes drafts that were submitted. If that fails, they merely reappear. */
export function dropDrafts(cache: QueryClient, owner: string, dropped: string[]): void {
  cache.setQueryData<Draft[]>(keys.drafts(owner), (list) =>
    list?.filter((draft) => !dropped.includes(draft.key)),
  );
  for (const key of dropped) saveDraft(owner, key, "", null).catch(() => undefined);
}
