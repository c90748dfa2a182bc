/** The requirements as chips: reworded in place, removed, added. Until the person touches them they follow the goal. */
import { IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import styles from "./Requirements.module.css";

interface RequirementsProps {
  /** As read from the goal. */
  read: string[];
  /** As the person left them; `null` follows the goal. */
  own: string[] | null;
  /** What the goal leaves open. */
  open: string[];
  /** `null`: follow the goal again. */
  onChange: (list: string[] | null) => void;
}

export function Requirements({ read, own, open, onChange }: RequirementsProps) {
  const list = own ?? read;
  const [edited, setEdited] = useState<number | null>(null);

  const finish = (at: number, text: string) => {
    setEdited(null);
    // One line each: a line break would split it when it is read again.
    const words = text.replace(/\s+/g, " ").trim();
    if (words === (list[at] ?? "")) return;
    const next = [...list];
    if (words) next[at] = words;
    else next.splice(at, 1);
    onChange(next);
  };

  return (
    <section className={styles.requirements} aria-label="Requirements">
      <ul className={styles.chips}>
        {list.map((text, at) =>
          edited === at ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is edited
            <li key={at} className={styles.editing}>
              <ChipField
                label={`Requirement ${at + 1}`}
                text={text}
                onDone={(words) => finish(at, words)}
                onCancel={() => setEdited(null)}
              />
            </li>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what is edited
            <li key={at} className={styles.chip}>
              <button type="button" className={styles.text} onClick={() => setEdited(at)}>
                <span className="pw-sr">Reword </span>
                <strong>R{at + 1}</strong> {text}
              </button>
              <button
                type="button"
                className={styles.remove}
                onClick={() => onChange(list.filter((_, other) => other !== at))}
                aria-label={`Remove R${at + 1} ${text}`}
              >
                <IconX size={12} />
              </button>
            </li>
          ),
        )}
        {edited === list.length ? (
          <li className={styles.editing}>
            <ChipField
              label="New requirement"
              text=""
              onDone={(words) => finish(list.length, words)}
              onCancel={() => setEdited(null)}
            />
          </li>
        ) : (
          <li>
            <button type="button" className={styles.add} onClick={() => setEdited(list.length)}>
              <IconPlus size={13} /> Add a requirement
            </button>
          </li>
        )}
      </ul>
      <p className={styles.origin}>
        {own ? (
          <>
            yours ·{" "}
            <button type="button" className={styles.again} onClick={() => onChange(null)}>
              read them from the goal again
            </button>
          </>
        ) : list.length > 0 ? (
          "read from your goal"
        ) : (
          "nothing read from your goal yet"
        )}
      </p>
      {open.length > 0 && (
        <ul className={styles.open} aria-label="What the goal leaves open">
          {open.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface ChipFieldProps {
  label: string;
  text: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}

function ChipField({ label, text, onDone, onCancel }: ChipFieldProps) {
  const [typed, setTyped] = useState(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      onDone(typed);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it replaces what was just activated
      autoFocus
      className={styles.field}
      aria-label={label}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => onDone(typed)}
      onKeyDown={onKeyDown}
    />
  );
}
