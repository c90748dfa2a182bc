/** The model's capabilities: each value with its origin. Each can be overridden and reset. */
import { Button, NativeSelect, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { ModelInForce, ProfileField } from "../../../api/bindings";
import { useOverruleModel } from "../../../api/models";
import { Chip, type Tone } from "../../../components/Chip";
import { words } from "../../../words";
import { choiceLabel, parse, valueLabel } from "./format";
import styles from "./Models.module.css";

const text = words.settings.profile;

const sourceTones: Record<string, Tone> = {
  name: "plain",
  probe: "accent",
  counters: "warn",
  user: "yours",
};

/** Maximum number and length of choices that fit side by side. */
const maxSegments = 3;
const maxSegmentLength = 8;

export function Profile({ model }: { model: ModelInForce }) {
  return (
    <div className={styles.part} role="group" aria-label={text.title}>
      <h3 className={styles.subheading}>{text.title}</h3>
      <p className={styles.dim}>{text.about}</p>
      <ul className="pw-list">
        {model.profile.map((field) => (
          <FieldRow key={field.name} field={field} />
        ))}
      </ul>
    </div>
  );
}

function FieldRow({ field }: { field: ProfileField }) {
  const { mutate: override, isPending } = useOverruleModel();
  const id = useId();
  const found = valueLabel(field, field.found);
  const set = (value: string | null) => override({ name: field.name, value });
  return (
    <li className={styles.field}>
      <div className={styles.fieldText}>
        <div className={styles.fieldHead}>
          <span className="pw-bold">{field.label}</span>
          <Chip
            tone={sourceTones[field.source] ?? "plain"}
            title={text.sourceHints[field.source] ?? ""}
          >
            {text.sources[field.source] ?? field.source}
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
            aria-label={text.resetLabel(field.label, found)}
          >
            {text.reset(found)}
          </Button>
        )}
      </div>
    </li>
  );
}

interface ControlProps {
  field: ProfileField;
  /** The id of the description. */
  about: string;
  /** Called with the new value as JSON. */
  onSet: (value: string) => void;
}

function Control({ field, about, onSet }: ControlProps) {
  const named = { "aria-label": field.label, "aria-describedby": about };
  const value = parse(field.value);
  if (field.kind === "fixed") return <span>{valueLabel(field, field.value)}</span>;
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
    const data = field.choices.map((choice) => ({ value: choice, label: choiceLabel(choice) }));
    const chosen = typeof value === "string" ? value : "";
    const choose = (choice: string) => onSet(JSON.stringify(choice));
    const isShort =
      data.length <= maxSegments && data.every(({ label }) => label.length <= maxSegmentLength);
    return isShort ? (
      <SegmentedControl {...named} size="xs" data={data} value={chosen} onChange={choose} />
    ) : (
      <NativeSelect
        {...named}
        size="xs"
        data={data}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    );
  }
  // Resets when the value changes elsewhere.
  return <NumberControl key={field.value} field={field} named={named} onSet={onSet} />;
}

interface NumberControlProps {
  field: ProfileField;
  named: { "aria-label": string; "aria-describedby": string };
  onSet: (value: string) => void;
}

function NumberControl({ field, named, onSet }: NumberControlProps) {
  const [typed, setTyped] = useState(field.value);
  const [error, setError] = useState<string | null>(null);
  // The submitted text, so that a value submitted by Enter isn't submitted again on blur.
  const submitted = useRef(field.value);
  const submit = () => {
    const digits = typed.trim().replace(/[\s_,]/g, "");
    if (digits === submitted.current) return;
    if (!/^\d+$/.test(digits)) {
      setError(text.notANumber);
      return;
    }
    setError(null);
    submitted.current = digits;
    onSet(digits);
  };
  return (
    <TextInput
      {...named}
      size="xs"
      className={styles.number}
      inputMode="numeric"
      value={typed}
      error={error}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={submit}
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && submit()}
    />
  );
}
