/** A list in a dialog, for what the pointer does on the canvas: type to narrow it down, arrows choose, Enter does it. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Dialog } from "../../components/Dialog";
import styles from "./Graph.module.css";

export interface Pick {
  key: string;
  /** In monospace, before the words. */
  id: string;
  title: string;
  /** At the right: what is to be known before it is chosen. */
  note?: string;
  run: () => void;
}

interface PickDialogProps {
  title: string;
  /** Names the list: "Steps that can wait for T2". */
  label: string;
  picks: Pick[];
  /** Said when nothing can be chosen at all. */
  none: string;
  /** Above the field. */
  children?: ReactNode;
  onClose: () => void;
}

/** Rows drawn at once; typing finds the others. */
const most = 200;

export function PickDialog({ title, label, picks, none, children, onClose }: PickDialogProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = picks.filter((pick) => {
    const all = `${pick.id} ${pick.title}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const shown = found.slice(0, most);
  const chosen = Math.max(0, Math.min(at, shown.length - 1));

  const choose = (pick: Pick | undefined) => {
    if (!pick) return;
    onClose();
    // The dialog gives the focus back first, so that another dialog can do so too.
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
        placeholder="Type an id or words of a title"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={styles.picks} role="listbox" aria-label={label}>
        {shown.map((pick, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
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
        <p className={styles.none}>{picks.length === 0 ? none : "No step is called that."}</p>
      )}
      {found.length > shown.length && (
        <p className={styles.none}>
          {found.length - shown.length} more: type more of what you look for.
        </p>
      )}
    </Dialog>
  );
}
