/** Ctrl/⌘+K: every action that can be done now, found by its words, done with Enter. Plans can be opened from it too. */
import { Modal } from "@mantine/core";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { usePlans } from "../../api/queries";
import { actions, availableActions } from "../../app/keys";
import { openPlan, usePlace } from "../../app/place";
import { Kbd } from "../../components/Kbd";
import { useStore } from "../../lib/store";
import { useFocusBack } from "../../lib/useFocusBack";
import styles from "./Palette.module.css";
import { closeOverlay } from "./palette";

interface Entry {
  id: string;
  group: string;
  title: string;
  keys?: string;
  run: () => void;
}

/** Whether each of the words stands in the text. */
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
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const all: Entry[] = [
      ...availableActions(registered),
      ...(plans ?? []).map((plan) => ({
        id: `open:${plan.plan}`,
        group: "Plans",
        title: plan.title || plan.path,
        run: () => openPlan(plan.plan),
      })),
    ];
    return all.filter((entry) => matches(`${entry.title} ${entry.group}`, words));
  }, [registered, plans, text]);

  const chosen = Math.min(at, entries.length - 1);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    closeOverlay();
    // The dialog gives the focus back first, then the action may move it. A timer and no frame: what a
    // person's key allows, as writing to the clipboard, goes on through a timer alone.
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
      attributes={{ content: { "aria-label": "All actions" } }}
    >
      <input
        className={styles.input}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={entries[chosen] ? `${listId}-${chosen}` : undefined}
        aria-label="Find an action or a plan"
        placeholder="Find an action or a plan"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label="Actions">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
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
            <span className={styles.title}>{entry.title}</span>
            {entry.keys && <Kbd keys={entry.keys} small />}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className={styles.none}>Nothing is called that.</p>}
    </Modal>
  );
}
