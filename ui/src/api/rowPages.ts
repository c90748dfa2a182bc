/** Pages of an outline's rows: fetching one, and prefetching those of a new revision. */
import { type QueryClient, queryOptions, replaceEqualDeep } from "@tanstack/react-query";
import { commands, type Row, type RowPage } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";

/** Number of outline rows per page. */
export const pageSize = 100;

/** The rows from `from` on. A row that didn't change since the last revision is the same object, so that it isn't drawn again. */
export function rowPage(plan: string, revision: string, from: number) {
  return queryOptions({
    queryKey: keys.rows(plan, revision, from),
    queryFn: async ({ client }) => {
      const page = await ask(commands.rows(plan, revision, from, pageSize));
      const before = newestPage(client, plan, from);
      return before ? { ...page, rows: sameRows(before.rows, page.rows) } : page;
    },
  });
}

/** Prefetches the visible rows of a new revision, in parallel with its outline. */
export function prefetchRows(cache: QueryClient, plan: string, revision: string): void {
  const shown = cache.getQueryCache().findAll({ queryKey: keys.of(plan), type: "active" });
  for (const { queryKey } of shown) {
    const [, , , what, from] = queryKey;
    if (what === "rows" && typeof from === "number") {
      void cache.prefetchQuery(rowPage(plan, revision, from));
    }
  }
}

/** The latest page at this index, of any revision. */
function newestPage(cache: QueryClient, plan: string, from: number): RowPage | undefined {
  let newest: { at: number; page: RowPage } | undefined;
  for (const { queryKey, state } of cache.getQueryCache().findAll({ queryKey: keys.of(plan) })) {
    if (queryKey[3] !== "rows" || queryKey[4] !== from || !state.data) continue;
    if (!newest || state.dataUpdatedAt >= newest.at) {
      newest = { at: state.dataUpdatedAt, page: state.data as RowPage };
    }
  }
  return newest?.page;
}

/** Reuses unchanged rows. They are matched by id, because an inserted step shifts those after it. */
function sameRows(before: Row[], rows: Row[]): Row[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return rows.map((row) => replaceEqualDeep(known.get(row.id), row));
}
