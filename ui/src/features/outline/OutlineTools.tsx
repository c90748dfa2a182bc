/** Above the rows: what is shown of them, and, while several are picked, what can be done to all of these. A short plan shows nothing here until it is asked for. */
import { IconFilter, IconFoldDown, IconFoldUp, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Outline } from "../../api/bindings";
import { IconButton } from "../../components/IconButton";
import { createStore, useStore } from "../../lib/store";
import styles from "./OutlineTools.module.css";
import type { Picks } from "./usePicks";
import type { RowWindow } from "./useRowWindow";
import { setView, shownKinds } from "./view";

/** From so many rows on the filter is always there. */
const longPlan = 15;

/** Counts the times that the filter was asked for. */
const asked = createStore(0);

/** Opens the filter and puts the cursor into it. */
export function openFilter(): void {
  asked.set(asked.get() + 1);
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
  const wishes = useStore(asked);
  const met = useRef(wishes);
  useEffect(() => {
    if (wishes === met.current) return;
    met.current = wishes;
    input.current?.focus();
    input.current?.select();
  }, [wishes]);

  if (rows === 0 || (rows < longPlan && isWhole && wishes === 0)) return null;
  const lines = rowWindow.order.lines;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (filter.words) setView(plan, { words: "" });
    else document.querySelector<HTMLElement>('[role="treegrid"] [tabindex="0"]')?.focus();
  };
  return (
    <search className={styles.tools} aria-label="Which steps are shown">
      <span className={styles.field}>
        <IconFilter size={14} aria-hidden />
        <input
          ref={input}
          value={filter.words}
          placeholder="Filter steps"
          aria-label="Filter steps by words"
          dir="auto"
          onChange={(event) => setView(plan, { words: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
      </span>
      <fieldset className={styles.kinds}>
        <legend className="pw-sr">Only</legend>
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
      <span className={styles.count} role="status">
        {isFiltered ? `${lines} of ${rows} steps` : ""}
      </span>
      {isFiltered && (
        <IconButton
          label="Show all steps"
          size={24}
          onClick={() => setView(plan, { only: [], words: "" })}
        >
          <IconX size={14} />
        </IconButton>
      )}
      {filter.folded.length > 0 ? (
        <IconButton
          label="Unfold all groups"
          keys="shift+ArrowRight"
          size={24}
          onClick={() => setView(plan, { folded: [] })}
        >
          <IconFoldDown size={15} />
        </IconButton>
      ) : (
        <IconButton label="Fold all groups" keys="shift+ArrowLeft" size={24} onClick={onFoldAll}>
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

/** What can be done to the picked rows; stays in view while they are. */
export function PickBar(props: PickBarProps) {
  const { picks, isWritable, isBusy } = props;
  const count = picks.tasks.length;
  if (count < 2) return null;
  const verbs: [string, string, () => void, boolean?][] = [
    ["Indent", "One level deeper (Alt+→)", props.onIndent],
    ["Outdent", "One level up (Alt+←)", props.onOutdent],
    ["Mine", "A person carries them out", () => props.onBy("person")],
    ["Agent", "An agent carries them out", () => props.onBy("agent")],
    ["Tick", "Mark them as done by hand", () => props.onTick(true)],
    ["Untick", "Open them again", () => props.onTick(false)],
  ];
  return (
    <div className={styles.picks} role="toolbar" aria-label="What to do with the picked steps">
      <strong role="status">{count} steps picked</strong>
      {isWritable && (
        <>
          {count === 2 && (
            <button
              type="button"
              disabled={isBusy}
              title={`${picks.tasks[1]} goes into ${picks.tasks[0]}`}
              onClick={props.onMerge}
            >
              Merge
            </button>
          )}
          {verbs.map(([title, hint, run]) => (
            <button key={title} type="button" disabled={isBusy} title={hint} onClick={run}>
              {title}
            </button>
          ))}
          <button type="button" data-danger disabled={isBusy} onClick={props.onDelete}>
            Delete…
          </button>
        </>
      )}
      <IconButton label="Let them go" keys="Escape" size={24} onClick={picks.clear}>
        <IconX size={14} />
      </IconButton>
    </div>
  );
}
