/** The text field of a card. What is typed is a draft until it is given. */
import { Textarea } from "@mantine/core";
import { useId } from "react";
import type { DraftField } from "../../../api/drafts";

interface WordsProps {
  field: DraftField;
  label: string;
  hint?: string;
  required?: boolean;
  autoFocus?: boolean;
}

export function Words({ field, label, hint, required = false, autoFocus = false }: WordsProps) {
  const id = useId();
  return (
    <Textarea
      id={id}
      size="xs"
      label={label}
      description={hint}
      required={required}
      autoFocus={autoFocus}
      autosize
      minRows={1}
      maxRows={6}
      dir="auto"
      value={field.text}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}
