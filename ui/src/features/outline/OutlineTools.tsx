/** The filter above the rows, and the toolbar for several selected rows. A short plan shows the filter only on request. */
import { IconFilter, IconFoldDown, IconFoldUp, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { IconButton } from "../../components/IconButton";
import { createStore, useStore } from "../../lib/store";
import { words } from "../../words";
import styles from "./OutlineTools.module.css";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import { setView, shownKinds } from "./view";

/** Minimum number of rows for which the filter is always shown. */
const longPlan = 15;

/** Counts the requests to show the filter. */
const filterRequests = createStore(0);

/** Opens the filter and focuses its field. */
export function openFilter(): void {
  filterRequests.set(filterRequests.get() + 1);
}

interface OutlineToolsProps {
  outline: Outline;
  rowWindow: RowWindow;
  onFoldAll: () => void;
}

export function OutlineTools({ outline, rowWindow, onFoldAll }: OutlineToolsProps) {
  const { plan, rows } = outline;
  const { filter, isFiltered, isWhole } = rowWindow.view;
  const input = useRef<HTMLInputElement>(null);
  const requests = useStore(filterRequests);
  const handled = useRef(requests);
  useEffect(() => {
    if (requests === handled.current) return;
    handled.current = requests;
    input.current?.focus();
    input.current?.select();
  }, [requests]);

  if (rows === 0 || (rows < longPlan && isWhole && requests === 0)) return null;
  const t = words.outline.filter;
  const lines = rowWindow.order.lines;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (filter.words) setView(plan, { words: "" });
    else document.querySelector<HTMLElement>('[role="treegrid"] [tabindex="0"]')?.focus();
  };
  return (
    <search className={styles.tools} aria-label={t.label}>
      <span className={styles.field}>
        <IconFilter size={14} aria-hidden />
        <input
          ref={input}
          value={filter.words}
          placeholder={t.placeholder}
          aria-label={t.field}
          dir="auto"
          onChange={(event) => setView(plan, { words: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
      </span>
      <fieldset className={styles.kinds}>
        <legend className="pw-sr">{t.only}</legend>
        {shownKinds.map((kind) => {
          const isOn = filter.only.includes(kind.id);
          return (
            <button
              key={kind.id}
              type="button"
              className={styles.kind}
              aria-pressed={isOn}
              title={kind.hint}
              onClick={() =>
                setView(plan, {
                  only: isOn
                    ? filter.only.filter((one) => one !== kind.id)
                    : [...filter.only, kind.id],
                })
              }
            >
              {kind.title}
            </button>
          );
        })}
      </fieldset>
      <span className="pw-hint pw-grow" role="status">
        {isFiltered ? t.matches(lines, rows) : ""}
      </span>
      {isFiltered && (
        <IconButton
          label={words.outline.showAll}
          size={24}
          onClick={() => setView(plan, { only: [], words: "" })}
        >
          <IconX size={14} />
        </IconButton>
      )}
      {filter.folded.length > 0 ? (
        <IconButton
          label={t.expandAll}
          keys="shift+ArrowRight"
          size={24}
          onClick={() => setView(plan, { folded: [] })}
        >
          <IconFoldDown size={15} />
        </IconButton>
      ) : (
        <IconButton label={t.collapseAll} keys="shift+ArrowLeft" size={24} onClick={onFoldAll}>
          <IconFoldUp size={15} />
        </IconButton>
      )}
    </search>
  );
}

interface PickBarProps {
  picks: Picks;
  isWritable: boolean;
  isBusy: boolean;
  onDelete: () => void;
  onMerge: () => void;
  onIndent: () => void;
  onOutdent: () => void;
  onTick: (done: boolean) => void;
  onBy: (by: "person" | "agent") => void;
}

/** The toolbar for several selected rows; stays in view while they are selected. */
export function PickBar(props: PickBarProps) {
  const { picks, isWritable, isBusy } = props;
  const count = picks.tasks.length;
  if (count < 2) return null;
  const t = words.outline.selected;
  const verbs: [string, string, () => void][] = [
    [t.indent, t.indentHint, props.onIndent],
    [t.outdent, t.outdentHint, props.onOutdent],
    [t.assignToMe, t.assignToMeHint, () => props.onBy("person")],
    [t.assignToAgent, t.assignToAgentHint, () => props.onBy("agent")],
    [t.markDone, t.markDoneHint, () => props.onTick(true)],
    [t.reopen, t.reopenHint, () => props.onTick(false)],
  ];
  return (
    <div className={styles.picks} role="toolbar" aria-label={t.label}>
      <strong role="status">{t.count(count)}</strong>
      {isWritable && (
        <>
          {count === 2 && (
            <button
              type="button"
              disabled={isBusy}
              title={t.mergeHint(picks.tasks[1] ?? "", picks.tasks[0] ?? "")}
              onClick={props.onMerge}
            >
              {t.merge}
            </button>
          )}
          {verbs.map(([title, hint, run]) => (
            <button key={title} type="button" disabled={isBusy} title={hint} onClick={run}>
              {title}
            </button>
          ))}
          <button type="button" data-danger disabled={isBusy} onClick={props.onDelete}>
            {t.delete}
          </button>
        </>
      )}
      <IconButton label={t.clear} keys="Escape" size={24} onClick={picks.clear}>
        <IconX size={14} />
      </IconButton>
    </div>
  );
}
