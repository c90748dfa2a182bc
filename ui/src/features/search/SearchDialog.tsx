/** The search dialog: a field above, hits by plan below. Enter opens a hit at its step, or at its line in the source if it belongs to no step. */
import { Loader, Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import type { SearchHit } from "../../api/bindings";
import { useSearch } from "../../api/queries";
import { openPlan } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { EmptyState, ErrorState } from "../../components/States";
import { useFocusBack } from "../../lib/useFocusBack";
import { words } from "../../words";
import { showTask } from "../outline/showTask";
import { showLine } from "../source/showLine";
import { groupHits, isMatch } from "./hits";
import styles from "./Search.module.css";
import { closeSearch } from "./search";

/** Delay between typing and searching, in milliseconds. */
const pauseMs = 150;

/** The last query, restored when the search is opened again in this window. */
let lastQuery = "";

export default function SearchDialog({ workspace }: { workspace: string }) {
  useFocusBack();
  const [query, setQuery] = useState(lastQuery);
  const [at, setAt] = useState(0);
  const [isEnterPending, setEnterPending] = useState(false);
  const [settled] = useDebouncedValue(query.trim(), pauseMs);
  const search = useSearch(workspace, settled);
  const listId = useId();
  const hits = settled ? search.data : undefined;
  const groups = useMemo(() => groupHits(hits ?? []), [hits]);
  const flat = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const chosen = Math.min(at, flat.length - 1);
  const isStale = settled !== query.trim() || search.isFetching;

  const choose = (hit: SearchHit | undefined) => {
    if (!hit) return;
    closeSearch();
    // Waits for the closing dialog to restore focus, which the plan may then take.
    requestAnimationFrame(() => openHit(hit));
  };

  // While the listed hits belong to an older query, Enter waits for the new ones.
  useEffect(() => {
    if (!isEnterPending || isStale) return;
    setEnterPending(false);
    choose(flat[0]?.hit);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) {
      const next = Math.max(0, Math.min(flat.length - 1, chosen + by));
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isStale) setEnterPending(true);
      else choose(flat[chosen]?.hit);
    }
  };

  return (
    <Modal
      opened
      onClose={closeSearch}
      withCloseButton={false}
      padding={0}
      size={680}
      yOffset="10vh"
      centered={false}
      attributes={{ content: { "aria-label": words.search.title } }}
    >
      <div className={styles.head}>
        <input
          className={styles.input}
          data-autofocus
          role="combobox"
          aria-expanded={flat.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={flat[chosen] ? `${listId}-${chosen}` : undefined}
          aria-label={words.search.title}
          placeholder={words.search.title}
          dir="auto"
          value={query}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            lastQuery = event.currentTarget.value;
            setQuery(lastQuery);
            setAt(0);
            setEnterPending(false);
          }}
          onKeyDown={onKeyDown}
        />
        {query.trim() !== "" && isStale && <Loader size={14} aria-hidden />}
      </div>
      <p className="pw-sr" role="status">
        {hits && !isStale ? words.search.found(hits.length, groups.length) : ""}
      </p>
      <div id={listId} className={styles.list} role="listbox" aria-label={words.search.list}>
        {groups.map((group) => (
          <div key={group.plan} role="group" aria-label={group.title} className={styles.group}>
            <p className={styles.plan} aria-hidden title={group.path}>
              <span className="pw-cut pw-bold pw-slim" dir="auto">
                {group.title}
              </span>
              <span className={styles.path}>{group.path}</span>
            </p>
            {group.hits.map(({ at: position, hit }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps focus
              <div
                key={position}
                id={`${listId}-${position}`}
                role="option"
                aria-selected={position === chosen}
                className={styles.hit}
                onMouseMove={() => setAt(position)}
                onClick={() => choose(hit)}
              >
                <span className={styles.where} title={hit.task_title ?? undefined}>
                  {hit.task ?? words.search.line(hit.line)}
                </span>
                <span className={styles.excerpt} dir="auto">
                  {hit.excerpt.map((run, index) =>
                    isMatch(run) ? (
                      // biome-ignore lint/suspicious/noArrayIndexKey: runs of one line never move
                      <mark key={index} className={styles.mark}>
                        {run.text}
                      </mark>
                    ) : (
                      run.text
                    ),
                  )}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {search.isError && settled !== "" ? (
        <ErrorState
          title={words.search.failed}
          error={search.error}
          onRetry={() => void search.refetch()}
        />
      ) : settled === "" ? (
        <p className={styles.none}>{words.search.hint}</p>
      ) : hits?.length === 0 && !isStale ? (
        <EmptyState title={words.search.noResults}>{words.search.noResultsHint}</EmptyState>
      ) : null}
      {flat.length > 0 && (
        <p className={styles.foot}>
          <span aria-hidden>{words.search.found(flat.length, groups.length)}</span>
          <span className="pw-inline pw-gap-4">
            <Kbd keys="ArrowUp" small hidden />
            <Kbd keys="ArrowDown" small hidden />
            <Kbd keys="Enter" small hidden /> {words.search.open}
          </span>
        </p>
      )}
    </Modal>
  );
}

/** Shows a hit at its step in the outline, or at its line in the source if it belongs to no step. */
function openHit(hit: SearchHit): void {
  if (hit.task) {
    openPlan(hit.plan, { view: "outline" });
    showTask(hit.task);
  } else {
    openPlan(hit.plan, { view: "source" });
    // Waits a frame, until the source view of the previous plan is unmounted.
    requestAnimationFrame(() => showLine(hit.line));
  }
}
