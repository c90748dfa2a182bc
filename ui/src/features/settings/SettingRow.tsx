/** One setting: its description, the origin of its value, and a control for its kind of value. */
import { Button, NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { SettingView } from "../../api/bindings";
import { useSetSetting } from "../../api/mutations";
import { Chip, type Tone } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import styles from "./SettingRow.module.css";

const text = words.settings.row;

const originTones: Record<string, Tone> = {
  default: "plain",
  user: "accent",
  workspace: "warn",
  environment: "warn",
};

/** Maximum number of choices that fit side by side. */
const maxSegments = 4;

interface SettingRowProps {
  setting: SettingView;
  problem?: string;
}

export function SettingRow({ setting, problem }: SettingRowProps) {
  const { mutate: write, isPending } = useSetSetting();
  const set = (value: string | null) => write({ key: setting.key, value });
  const id = useId();
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <div className={styles.head}>
          <span className="pw-bold">{setting.label}</span>
          <code className={styles.key}>{setting.key}</code>
          <Chip tone={originTones[setting.from] ?? "plain"}>
            {words.settings.origins[setting.from] ?? setting.from}
          </Chip>
        </div>
        <p id={`${id}-about`} className="pw-hint">
          <Inline>{setting.description}</Inline>
        </p>
        {problem && <p className={styles.problem}>{problem}</p>}
        {setting.from === "workspace" && <p className="pw-hint">{text.setByWorkspace}</p>}
      </div>
      <div className={styles.control} aria-busy={isPending}>
        <Control setting={setting} id={id} onSet={set} />
        {setting.from === "user" && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => set(null)}
            aria-label={text.resetLabel(setting.label, setting.default)}
          >
            {text.reset}
          </Button>
        )}
      </div>
    </li>
  );
}

interface ControlProps {
  setting: SettingView;
  /** The row's id, from which the id of its description is derived. */
  id: string;
  /** Called with the new value as JSON. */
  onSet: (value: string) => void;
}

function Control({ setting, id, onSet }: ControlProps) {
  const named = { "aria-label": setting.label, "aria-describedby": `${id}-about` };
  const value = parse(setting.value);
  if (setting.kind === "boolean") {
    return (
      <Switch
        {...named}
        checked={value === true}
        onChange={(event) => onSet(String(event.currentTarget.checked))}
      />
    );
  }
  if (setting.kind === "choice") {
    const chosen = typeof value === "string" ? value : "";
    return setting.choices.length <= maxSegments ? (
      <SegmentedControl
        {...named}
        size="xs"
        data={setting.choices}
        value={chosen}
        onChange={(choice) => onSet(JSON.stringify(choice))}
      />
    ) : (
      <NativeSelect
        {...named}
        size="xs"
        data={setting.choices}
        value={chosen}
        onChange={(event) => onSet(JSON.stringify(event.currentTarget.value))}
      />
    );
  }
  return (
    <TextControl
      // Resets when the value changes elsewhere.
      key={setting.value}
      setting={setting}
      named={named}
      onSet={onSet}
    />
  );
}

interface TextControlProps {
  setting: SettingView;
  named: { "aria-label": string; "aria-describedby": string };
  onSet: (value: string) => void;
}

function TextControl({ setting, named, onSet }: TextControlProps) {
  const [typed, setTyped] = useState(() => toText(setting));
  const [error, setError] = useState<string | null>(null);
  // The submitted text, so that a value submitted by Enter isn't submitted again on blur.
  const submitted = useRef(typed);
  const submit = () => {
    if (typed === submitted.current) return;
    const read = fromText(setting.kind, typed);
    setError(read.error ?? null);
    if (read.json === undefined) return;
    submitted.current = typed;
    onSet(read.json);
  };
  const shared = {
    ...named,
    size: "xs",
    value: typed,
    error,
    spellCheck: false,
    onBlur: submit,
  };
  if (setting.kind === "list" || setting.kind === "json") {
    return (
      <Textarea
        {...shared}
        className="pw-wide"
        autosize
        minRows={1}
        maxRows={8}
        placeholder={setting.kind === "list" ? text.listPlaceholder : ""}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      className={styles.field}
      inputMode={setting.kind === "number" ? "decimal" : "text"}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && submit()}
    />
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function toText(setting: SettingView): string {
  const value = parse(setting.value);
  if (value === null) return "";
  if (setting.kind === "list" && Array.isArray(value)) return value.join("\n");
  if (setting.kind === "json") return JSON.stringify(value, null, 2);
  return String(value);
}

function fromText(kind: string, typed: string): { json?: string; error?: string } {
  if (kind === "number") {
    const number = Number(typed.trim());
    return typed.trim() === "" || !Number.isFinite(number)
      ? { error: text.notANumber }
      : { json: String(number) };
  }
  if (kind === "list") {
    const lines = typed.split("\n").map((line) => line.trim());
    return { json: JSON.stringify(lines.filter(Boolean)) };
  }
  if (kind === "json") {
    try {
      return { json: JSON.stringify(JSON.parse(typed)) };
    } catch (cause) {
      return { error: cause instanceof Error ? cause.message : text.notJson };
    }
  }
  return { json: JSON.stringify(typed) };
}
