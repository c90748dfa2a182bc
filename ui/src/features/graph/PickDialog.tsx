/** A filterable list in a dialog, so that everything the pointer can do on the canvas also works by keyboard: type to filter, use arrow keys to move, and press Enter to pick. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Dialog } from "../../components/Dialog";
import { words } from "../../words";
import styles from "./Graph.module.css";

export interface Pick {
  key: string;
  /** Shown in monospace before the title. */
  id: string;
  title: string;
  /** Shown at the right. */
  note?: string;
  run: () => void;
}

interface PickDialogProps {
  title: string;
  /** The accessible name of the list: "Step that depends on T2". */
  label: string;
  picks: Pick[];
  /** Shown if the list is empty. */
  none: string;
  /** Content above the field. */
  children?: ReactNode;
  onClose: () => void;
}

/** Maximum number of rows shown; filtering finds the others. */
const maxRows = 200;

export function PickDialog({ title, label, picks, none, children, onClose }: PickDialogProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = picks.filter((pick) => {
    const all = `${pick.id} ${pick.title}`.toLowerCase();
    return terms.every((term) => all.includes(term));
  });
  const shown = found.slice(0, maxRows);
  const chosen = Math.max(0, Math.min(at, shown.length - 1));

  const choose = (pick: Pick | undefined) => {
    if (!pick) return;
    onClose();
    // Runs after the dialog has returned focus, so that a second dialog can return it too.
    requestAnimationFrame(pick.run);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) {
      const next = Math.max(0, Math.min(shown.length - 1, chosen + by));
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(shown[chosen]);
    }
  };

  return (
    <Dialog onClose={onClose} title={title} size={520}>
      {children}
      <input
        className={styles.find}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[chosen] ? `${listId}-${chosen}` : undefined}
        aria-label={label}
        placeholder={words.graph.pick.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={styles.picks} role="listbox" aria-label={label}>
        {shown.map((pick, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps focus
          <div
            key={pick.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.pick}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(pick)}
          >
            <span className={styles.pickId}>{pick.id}</span>
            <bdi className={styles.pickTitle}>{pick.title}</bdi>
            {pick.note && <span className={styles.pickNote}>{pick.note}</span>}
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p className={styles.none}>{picks.length === 0 ? none : words.graph.pick.noMatches}</p>
      )}
      {found.length > shown.length && (
        <p className={styles.none}>{words.graph.pick.more(found.length - shown.length)}</p>
      )}
    </Dialog>
  );
}
