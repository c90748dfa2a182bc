/** A field with a few values, written as soon as one is chosen. */
import { SegmentedControl } from "@mantine/core";
import { FieldFrame } from "./FieldFrame";
import type { Field } from "./useField";

interface ChoiceFieldProps {
  label: string;
  field: Field;
  choices: { value: string; label: string }[];
  readOnly?: boolean;
}

export function ChoiceField({ label, field, choices, readOnly }: ChoiceFieldProps) {
  return (
    <FieldFrame label={label} field={field}>
      <SegmentedControl
        size="xs"
        aria-label={label}
        readOnly={readOnly}
        value={field.text}
        data={choices}
        onChange={field.choose}
      />
    </FieldFrame>
  );
}
