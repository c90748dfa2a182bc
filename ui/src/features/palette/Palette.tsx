/** Ctrl/⌘+K: finds an available action or a plan by its words; Enter runs or opens it. */
import { Modal } from "@mantine/core";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { usePlans } from "../../api/queries";
import { actions, availableActions } from "../../app/keys";
import { openPlan, usePlace } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import { useFocusBack } from "../../lib/useFocusBack";
import { words } from "../../words";
import styles from "./Palette.module.css";
import { closeOverlay } from "./palette";

interface Entry {
  id: string;
  group: string;
  title: string;
  keys?: string;
  run: () => void;
}

/** Whether the text contains every word. */
function matches(text: string, words: string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

export function Palette() {
  useFocusBack();
  const { workspace } = usePlace();
  const plans = usePlans(workspace).data?.plans;
  const registered = useStore(actions);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const listId = useId();

  const entries = useMemo<Entry[]>(() => {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all: Entry[] = [
      ...availableActions(registered).map((action) => ({
        ...action,
        group: words.app.groups[action.group],
      })),
      ...(plans ?? []).map((plan) => ({
        id: `open:${plan.plan}`,
        group: words.palette.plans,
        title: plan.title || plan.path,
        run: () => openPlan(plan.plan),
      })),
    ];
    return all.filter((entry) => matches(`${entry.title} ${entry.group}`, wanted));
  }, [registered, plans, text]);

  const chosen = Math.min(at, entries.length - 1);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    // The dialog restores focus first; then the action may move it. A timer, not an animation frame:
    // only a timer keeps the user activation that writing to the clipboard needs.
    window.setTimeout(() => entry.run());
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by) {
      const next = Math.max(0, Math.min(entries.length - 1, chosen + by));
      setAt(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(entries[chosen]);
    }
  };

  return (
    <Modal
      opened
      onClose={closeOverlay}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { "aria-label": words.palette.title } }}
    >
      <input
        className={styles.input}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={entries[chosen] ? `${listId}-${chosen}` : undefined}
        aria-label={words.palette.field}
        placeholder={words.palette.field}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label={words.palette.list}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps focus
          <div
            key={entry.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={styles.entry}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(entry)}
          >
            <span className={styles.group}>{entry.group}</span>
            <span className="pw-cut pw-fill">{entry.title}</span>
            {entry.keys && <Kbd keys={entry.keys} small />}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className={styles.none}>{words.palette.noResults}</p>}
    </Modal>
  );
}
