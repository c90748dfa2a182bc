/** Several drafts of one plan at once, for a dialog with a field per step. For one field, see `useDraft`. */
import type { QueryClient } from "@tanstack/react-query";
import type { Draft } from "./bindings";
import { keys } from "./keys";
import { saveDraft } from "./mutations";

/** Deletes drafts that were submitted. If that fails, they only turn up again. */
export function dropDrafts(cache: QueryClient, owner: string, dropped: string[]): void {
  cache.setQueryData<Draft[]>(keys.drafts(owner), (list) =>
    list?.filter((draft) => !dropped.includes(draft.key)),
  );
  for (const key of dropped) saveDraft(owner, key, "", null).catch(() => undefined);
}
