/** One setting: its words, where its value comes from, and the control that fits its kind. */
import { Button, NativeSelect, SegmentedControl, Switch, Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { SettingView } from "../../api/bindings";
import { useSetSetting } from "../../api/mutations";
import { Chip, type Tone } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import styles from "./SettingRow.module.css";

const origins: Record<string, { words: string; tone: Tone }> = {
  default: { words: "default", tone: "plain" },
  user: { words: "yours", tone: "accent" },
  workspace: { words: "this workspace", tone: "warn" },
  environment: { words: "environment", tone: "warn" },
};

/** As many choices as fit side by side. */
const besideAtMost = 4;

interface SettingRowProps {
  setting: SettingView;
  problem?: string;
}

export function SettingRow({ setting, problem }: SettingRowProps) {
  const { mutate: write, isPending } = useSetSetting();
  const set = (value: string | null) => write({ key: setting.key, value });
  const id = useId();
  const origin = origins[setting.from] ?? { words: setting.from, tone: "plain" as Tone };
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <div className={styles.head}>
          <span className={styles.name}>{label(setting.key)}</span>
          <code className={styles.key}>{setting.key}</code>
          <Chip tone={origin.tone}>{origin.words}</Chip>
        </div>
        <p id={`${id}-about`} className={styles.about}>
          <Inline>{setting.description}</Inline>
        </p>
        {problem && <p className={styles.problem}>{problem}</p>}
        {setting.from === "workspace" && (
          <p className={styles.about}>
            The workspace's file says so; what you choose here holds where it does not.
          </p>
        )}
      </div>
      <div className={styles.control} aria-busy={isPending}>
        <Control setting={setting} id={id} onSet={set} />
        {setting.from === "user" && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => set(null)}
            aria-label={`Use the default of ${label(setting.key)}: ${setting.default}`}
          >
            Use the default
          </Button>
        )}
      </div>
    </li>
  );
}

interface ControlProps {
  setting: SettingView;
  /** Of the row; its explanation has it too. */
  id: string;
  /** The new value, as JSON. */
  onSet: (value: string) => void;
}

function Control({ setting, id, onSet }: ControlProps) {
  const named = { "aria-label": label(setting.key), "aria-describedby": `${id}-about` };
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
    return setting.choices.length <= besideAtMost ? (
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
      // Another value from outside is a new start.
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
  const [wrong, setWrong] = useState<string | null>(null);
  // Enter gives it, and leaving the field behind that does not give it again.
  const given = useRef(typed);
  const give = () => {
    if (typed === given.current) return;
    const read = fromText(setting.kind, typed);
    setWrong(read.wrong ?? null);
    if (read.json === undefined) return;
    given.current = typed;
    onSet(read.json);
  };
  const shared = {
    ...named,
    size: "xs",
    value: typed,
    error: wrong,
    spellCheck: false,
    onBlur: give,
  };
  if (setting.kind === "list" || setting.kind === "json") {
    return (
      <Textarea
        {...shared}
        className={styles.wide}
        autosize
        minRows={1}
        maxRows={8}
        placeholder={setting.kind === "list" ? "one to a line" : ""}
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
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && give()}
    />
  );
}

/** `plan_adequacy_enforce` and `planFolder` as people read them. */
function label(key: string): string {
  const words = key.replace(/[._]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
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

function fromText(kind: string, text: string): { json?: string; wrong?: string } {
  if (kind === "number") {
    const number = Number(text.trim());
    return text.trim() === "" || !Number.isFinite(number)
      ? { wrong: "a number is needed here" }
      : { json: String(number) };
  }
  if (kind === "list") {
    const lines = text.split("\n").map((line) => line.trim());
    return { json: JSON.stringify(lines.filter(Boolean)) };
  }
  if (kind === "json") {
    try {
      return { json: JSON.stringify(JSON.parse(text)) };
    } catch (cause) {
      return { wrong: cause instanceof Error ? cause.message : "this is not JSON" };
    }
  }
  return { json: JSON.stringify(text) };
}
