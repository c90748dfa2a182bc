/** The text field of a card. Typed text is kept as a draft until it is sent. */
import { Textarea } from "@mantine/core";
import { useId } from "react";
import type { DraftField } from "../../../api/drafts";

interface AnswerFieldProps {
  draft: DraftField;
  label: string;
  hint?: string;
  required?: boolean;
  autoFocus?: boolean;
}

export function AnswerField({
  draft,
  label,
  hint,
  required = false,
  autoFocus = false,
}: AnswerFieldProps) {
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
      value={draft.text}
      onChange={(event) => draft.set(event.currentTarget.value)}
    />
  );
}
