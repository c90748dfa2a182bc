/** Folds every group of a plan. Loads all pages to find the groups. */
import { useCallback } from "react";
import type { Row } from "../../api/bindings";
import { pageSize } from "../../api/rowPages";
import type { RowWindow } from "./useRowWindow";
import { setView } from "./view";

export function useFoldAll({ shown, reader }: RowWindow): () => void {
  const { plan, rows } = shown;
  return useCallback(async () => {
    const starts = Array.from({ length: Math.ceil(rows / pageSize) }, (_, at) => at * pageSize);
    await Promise.all(starts.map(reader.read));
    const all = Array.from({ length: rows }, (_, index) => reader.peek(index));
    const groups = all.filter((row): row is Row => row?.kind === "group");
    setView(plan, { folded: groups.map((row) => row.id) });
  }, [plan, rows, reader]);
}
