/** A text field: one line, Markdown, or a list with one value per line. Enter saves a single line, Ctrl+Enter several. Escape discards typed text; if there is none, the row handles the key. */
import { Textarea, TextInput } from "@mantine/core";
import { type KeyboardEvent, type Ref, useId } from "react";
import styles from "./Field.module.css";
import { FieldFrame } from "./FieldFrame";
import type { Field } from "./useField";

interface TextFieldProps {
  label: string;
  field: Field;
  /** `line`: one line. `prose`: Markdown. `lines`: a monospaced list. */
  shape: "line" | "prose" | "lines";
  hint?: string;
  placeholder?: string;
  inputRef?: Ref<HTMLInputElement & HTMLTextAreaElement>;
  readOnly?: boolean;
}

export function fieldKeys(field: Field, isMultiLine: boolean) {
  return (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (!isMultiLine || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      field.write();
    } else if (event.key === "Escape" && field.isDirty) {
      event.preventDefault();
      event.stopPropagation();
      field.discard();
    }
  };
}

export function TextField({
  label,
  field,
  shape,
  hint,
  placeholder,
  inputRef,
  readOnly = false,
}: TextFieldProps) {
  const id = useId();
  const shared = {
    id,
    value: field.text,
    placeholder,
    readOnly,
    dir: "auto" as const,
    size: "xs" as const,
    error: field.error ? true : undefined,
    onBlur: field.write,
    onKeyDown: fieldKeys(field, shape !== "line"),
  };
  return (
    <FieldFrame label={label} field={field} hint={hint} htmlFor={id}>
      {shape === "line" ? (
        <TextInput
          {...shared}
          ref={inputRef}
          classNames={{ input: styles.text }}
          onChange={(event) => field.set(event.currentTarget.value)}
        />
      ) : (
        <Textarea
          {...shared}
          ref={inputRef}
          autosize
          minRows={1}
          maxRows={14}
          spellCheck={shape === "prose"}
          classNames={{ input: shape === "lines" ? styles.mono : styles.text }}
          onChange={(event) => field.set(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}
