/** The search across all plans, available on every screen: its shortcut, its palette entry and its dialog. */
import { lazy, Suspense, useMemo } from "react";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { openSearch, searchKeys, searchOpen } from "./search";

const SearchDialog = lazy(() => import("./SearchDialog"));

export function SearchPart() {
  const { workspace } = usePlace();
  const isOpen = useStore(searchOpen);
  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "search.open",
          title: words.search.title,
          group: "go",
          keys: searchKeys,
          inFields: true,
          when: () => workspace !== null,
          run: openSearch,
        },
      ],
      [workspace],
    ),
  );
  if (!isOpen || !workspace) return null;
  return (
    <Suspense fallback={null}>
      <SearchDialog workspace={workspace} />
    </Suspense>
  );
}
