/** How far the model is trusted: each value with where it is from; each can be overruled, and the word taken back. */
import { Button, NativeSelect, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { ModelInForce, ProfileField } from "../../../api/bindings";
import { useOverruleModel } from "../../../api/models";
import { Chip } from "../../../components/Chip";
import styles from "./Models.module.css";
import { choiceWords, parse, sources, valueWords } from "./words";

/** As many choices as fit side by side. */
const besideAtMost = 3;

export function Profile({ model }: { model: ModelInForce }) {
  return (
    <div className={styles.part} role="group" aria-label="How far it is trusted">
      <h3 className={styles.subheading}>How far it is trusted</h3>
      <p className={styles.dim}>
        Guessed by its name, then found out, then lowered by what it does in earnest. What you say
        holds over all.
      </p>
      <ul className={styles.list}>
        {model.profile.map((field) => (
          <FieldRow key={field.name} field={field} />
        ))}
      </ul>
    </div>
  );
}

function FieldRow({ field }: { field: ProfileField }) {
  const { mutate: overrule, isPending } = useOverruleModel();
  const id = useId();
  const source = sources[field.source] ?? { words: field.source, about: "", tone: "plain" };
  const set = (value: string | null) => overrule({ name: field.name, value });
  return (
    <li className={styles.field}>
      <div className={styles.fieldText}>
        <div className={styles.fieldHead}>
          <span className={styles.fieldName}>{field.label}</span>
          <Chip tone={source.tone} title={source.about}>
            {source.words}
          </Chip>
        </div>
        <p id={id} className={styles.dim}>
          {field.about}
        </p>
      </div>
      <div className={styles.control} aria-busy={isPending}>
        <Control field={field} about={id} onSet={set} />
        {field.source === "user" && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => set(null)}
            aria-label={`${field.label}: as found, ${valueWords(field, field.found)}`}
          >
            As found: {valueWords(field, field.found)}
          </Button>
        )}
      </div>
    </li>
  );
}

interface ControlProps {
  field: ProfileField;
  /** Of the explanation. */
  about: string;
  /** The new value, as JSON. */
  onSet: (value: string) => void;
}

function Control({ field, about, onSet }: ControlProps) {
  const named = { "aria-label": field.label, "aria-describedby": about };
  const value = parse(field.value);
  if (field.kind === "fixed") return <span>{valueWords(field, field.value)}</span>;
  if (field.kind === "boolean") {
    return (
      <Switch
        {...named}
        checked={value === true}
        onChange={(event) => onSet(String(event.currentTarget.checked))}
      />
    );
  }
  if (field.kind === "choice") {
    const data = field.choices.map((choice) => ({ value: choice, label: choiceWords(choice) }));
    const chosen = typeof value === "string" ? value : "";
    const give = (choice: string) => onSet(JSON.stringify(choice));
    const isShort = data.length <= besideAtMost && data.every((one) => one.label.length <= 8);
    return isShort ? (
      <SegmentedControl {...named} size="xs" data={data} value={chosen} onChange={give} />
    ) : (
      <NativeSelect
        {...named}
        size="xs"
        data={data}
        value={chosen}
        onChange={(event) => give(event.currentTarget.value)}
      />
    );
  }
  // Another value from outside is a new start.
  return <NumberControl key={field.value} field={field} named={named} onSet={onSet} />;
}

interface NumberControlProps {
  field: ProfileField;
  named: { "aria-label": string; "aria-describedby": string };
  onSet: (value: string) => void;
}

function NumberControl({ field, named, onSet }: NumberControlProps) {
  const [typed, setTyped] = useState(field.value);
  const [wrong, setWrong] = useState<string | null>(null);
  // Enter gives it, and leaving the field behind that does not give it again.
  const given = useRef(field.value);
  const give = () => {
    const text = typed.trim().replace(/[\s_,]/g, "");
    if (text === given.current) return;
    if (!/^\d+$/.test(text)) {
      setWrong("a whole number is needed here");
      return;
    }
    setWrong(null);
    given.current = text;
    onSet(text);
  };
  return (
    <TextInput
      {...named}
      size="xs"
      className={styles.number}
      inputMode="numeric"
      value={typed}
      error={wrong}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={give}
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && give()}
    />
  );
}
