/** Several drafts of one plan at once: those of a dialog with a field for each step. For one field see `useDraft`. */
import type { QueryClient } from "@tanstack/react-query";
import type { Draft } from "./bindings";
import { keys } from "./keys";
import { saveDraft } from "./mutations";

/** Drops drafts: what they held was given. One that cannot be dropped is only found again. */
export function dropDrafts(cache: QueryClient, owner: string, dropped: string[]): void {
  cache.setQueryData<Draft[]>(keys.drafts(owner), (list) =>
    list?.filter((draft) => !dropped.includes(draft.key)),
  );
  for (const key of dropped) saveDraft(owner, key, "", null).catch(() => undefined);
}
