/** Words found in all plans of the workspace: typed above, listed by plan below, opened with Enter at their task, or at their line where they belong to none. */
import { Loader, Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useId, useMemo, useState } from "react";
import type { SearchHit } from "../../api/bindings";
import { useSearch } from "../../api/queries";
import { openPlan } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { EmptyState, ErrorState } from "../../components/States";
import { useFocusBack } from "../../lib/useFocusBack";
import { showTask } from "../outline/showTask";
import { count } from "../run/words";
import { showLine } from "../source/asked";
import { groupHits, isFound } from "./hits";
import styles from "./Search.module.css";
import { closeSearch } from "./search";

/** How long typing must rest before it is searched for, in milliseconds. */
const restMs = 150;

/** Kept while the window is open: who opens the search again goes on where it was left. */
let lastWords = "";

export default function SearchDialog({ workspace }: { workspace: string }) {
  useFocusBack();
  const [words, setWords] = useState(lastWords);
  const [at, setAt] = useState(0);
  const [isWaiting, setWaiting] = useState(false);
  const [settled] = useDebouncedValue(words.trim(), restMs);
  const search = useSearch(workspace, settled);
  const listId = useId();
  const hits = settled ? search.data : undefined;
  const groups = useMemo(() => groupHits(hits ?? []), [hits]);
  const flat = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const chosen = Math.min(at, flat.length - 1);
  const isBehind = settled !== words.trim() || search.isFetching;

  const choose = (hit: SearchHit | undefined) => {
    if (!hit) return;
    closeSearch();
    // The dialog gives the focus back first, then the plan may take it.
    requestAnimationFrame(() => openHit(hit));
  };

  // What is listed answers other words while new ones are being searched for: Enter waits for them.
  useEffect(() => {
    if (!isWaiting || isBehind) return;
    setWaiting(false);
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
      if (isBehind) setWaiting(true);
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
      attributes={{ content: { "aria-label": "Search all plans" } }}
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
          aria-label="Words to find in all plans"
          placeholder="Words to find in all plans"
          dir="auto"
          value={words}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            lastWords = event.currentTarget.value;
            setWords(lastWords);
            setAt(0);
            setWaiting(false);
          }}
          onKeyDown={onKeyDown}
        />
        {words.trim() !== "" && isBehind && <Loader size={14} aria-hidden />}
      </div>
      <p className="pw-sr" role="status">
        {hits && !isBehind ? found(hits.length, groups.length) : ""}
      </p>
      <div id={listId} className={styles.list} role="listbox" aria-label="Places found">
        {groups.map((group) => (
          <div key={group.plan} role="group" aria-label={group.title} className={styles.group}>
            <p className={styles.plan} aria-hidden title={group.path}>
              <span className={styles.planTitle} dir="auto">
                {group.title}
              </span>
              <span className={styles.path}>{group.path}</span>
            </p>
            {group.hits.map(({ at: place, hit }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
              <div
                key={place}
                id={`${listId}-${place}`}
                role="option"
                aria-selected={place === chosen}
                className={styles.hit}
                onMouseMove={() => setAt(place)}
                onClick={() => choose(hit)}
              >
                <span className={styles.where} title={hit.task_title ?? undefined}>
                  {hit.task ?? `line ${hit.line}`}
                </span>
                <span className={styles.excerpt} dir="auto">
                  {hit.excerpt.map((run, index) =>
                    isFound(run) ? (
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
          title="The plans could not be searched"
          error={search.error}
          onRetry={() => void search.refetch()}
        />
      ) : settled === "" ? (
        <p className={styles.none}>Titles, steps and prose of every plan in this folder.</p>
      ) : hits?.length === 0 && !isBehind ? (
        <EmptyState title="No plan has these words">
          All of them have to stand in one line. Fewer words find more.
        </EmptyState>
      ) : null}
      {flat.length > 0 && (
        <p className={styles.foot}>
          <span aria-hidden>{found(flat.length, groups.length)}</span>
          <span className={styles.keys}>
            <Kbd keys="ArrowUp" small hidden />
            <Kbd keys="ArrowDown" small hidden />
            <Kbd keys="Enter" small hidden /> opens
          </span>
        </p>
      )}
    </Modal>
  );
}

function found(places: number, plans: number): string {
  return places === 0 ? "Nothing found" : `${count(places, "place")} in ${count(plans, "plan")}`;
}

/** At its task in the outline; what belongs to no task is there to be seen in the source alone. */
function openHit(hit: SearchHit): void {
  if (hit.task) {
    openPlan(hit.plan, { view: "outline" });
    showTask(hit.task);
  } else {
    openPlan(hit.plan, { view: "source" });
    // The source of the plan before is gone then.
    requestAnimationFrame(() => showLine(hit.line));
  }
}
