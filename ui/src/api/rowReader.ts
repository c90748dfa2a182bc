/** Reads single rows of an outline by index, from cached or fetched pages. Used for moves, where neighboring rows may be off screen. */
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { commands, type Row, type RowPage } from "./bindings";
import { ask } from "./client";
import { keys } from "./keys";
import { pageSize, rowPage } from "./rowPages";

export interface RowReader {
  /** The row if its page is cached. */
  peek: (index: number) => Row | undefined;
  /** The row; `undefined` after the last one. */
  read: (index: number) => Promise<Row | undefined>;
  indexOf: (task: string) => Promise<number | null>;
  /** Ids by index, from the cached pages. Looks up each page once, for iterating over all rows. */
  ids: () => (index: number) => string | undefined;
}

export function useRowReader(plan: string, revision: string): RowReader {
  const cache = useQueryClient();
  return useMemo(() => {
    const pageOf = (index: number) => Math.floor(index / pageSize) * pageSize;
    const cached = (from: number) =>
      cache.getQueryData<RowPage>(keys.rows(plan, revision, from))?.rows;
    return {
      peek: (index) => cached(pageOf(index))?.[index % pageSize],
      ids: () => {
        const pages = new Map<number, Row[] | undefined>();
        return (index) => {
          const from = pageOf(index);
          if (!pages.has(from)) pages.set(from, cached(from));
          return pages.get(from)?.[index % pageSize]?.id;
        };
      },
      read: async (index) => {
        if (index < 0) return undefined;
        const from = pageOf(index);
        const page = await cache.fetchQuery(rowPage(plan, revision, from));
        return page.rows[index % pageSize];
      },
      indexOf: (task) =>
        cache.fetchQuery({
          queryKey: keys.rowIndex(plan, revision, task),
          queryFn: () => ask(commands.rowIndex(plan, revision, task)),
        }),
    };
  }, [cache, plan, revision]);
}
