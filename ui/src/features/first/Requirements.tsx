/** The requirements as chips that can be edited in place, removed and added. They follow the goal until they are edited. */
import { IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { words } from "../../words";
import styles from "./Requirements.module.css";

const strings = words.first.requirements;

interface RequirementsProps {
  /** The requirements as read from the goal. */
  read: string[];
  /** The edited requirements; `null` while they follow the goal. */
  own: string[] | null;
  /** Questions that the goal leaves open. */
  open: string[];
  /** Called with the edited requirements, or with `null` to follow the goal again. */
  onChange: (list: string[] | null) => void;
}

export function Requirements({ read, own, open, onChange }: RequirementsProps) {
  const list = own ?? read;
  const [edited, setEdited] = useState<number | null>(null);

  const finish = (at: number, typed: string) => {
    setEdited(null);
    // Each requirement is one line, because the draft separates them by line breaks.
    const requirement = typed.replace(/\s+/g, " ").trim();
    if (requirement === (list[at] ?? "")) return;
    const next = [...list];
    if (requirement) next[at] = requirement;
    else next.splice(at, 1);
    onChange(next);
  };

  return (
    <section className={styles.requirements} aria-label={strings.label}>
      <ul className="pw-list pw-chips pw-gap-8">
        {list.map((text, at) =>
          edited === at ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a requirement is identified by its position
            <li key={at} className={styles.editing}>
              <ChipField
                label={strings.field(at + 1)}
                text={text}
                onDone={(typed) => finish(at, typed)}
                onCancel={() => setEdited(null)}
              />
            </li>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a requirement is identified by its position
            <li key={at} className={styles.chip}>
              <button type="button" className={styles.text} onClick={() => setEdited(at)}>
                <span className="pw-sr">{strings.edit} </span>
                <strong>R{at + 1}</strong> {text}
              </button>
              <button
                type="button"
                className={styles.remove}
                onClick={() => onChange(list.filter((_, other) => other !== at))}
                aria-label={strings.remove(at + 1, text)}
              >
                <IconX size={12} />
              </button>
            </li>
          ),
        )}
        {edited === list.length ? (
          <li className={styles.editing}>
            <ChipField
              label={strings.newField}
              text=""
              onDone={(typed) => finish(list.length, typed)}
              onCancel={() => setEdited(null)}
            />
          </li>
        ) : (
          <li>
            <button type="button" className={styles.add} onClick={() => setEdited(list.length)}>
              <IconPlus size={13} /> {strings.add}
            </button>
          </li>
        )}
      </ul>
      <p className={styles.origin}>
        {own ? (
          <>
            {strings.edited} ·{" "}
            <button type="button" className={styles.again} onClick={() => onChange(null)}>
              {strings.reset}
            </button>
          </>
        ) : list.length > 0 ? (
          strings.fromGoal
        ) : (
          strings.none
        )}
      </p>
      {open.length > 0 && (
        <ul className={styles.open} aria-label={strings.questions}>
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
      // biome-ignore lint/a11y/noAutofocus: it replaces the button that was just pressed
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
