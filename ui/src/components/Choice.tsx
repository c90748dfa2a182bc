/** A native select in the window's style. */
import { IconChevronDown } from "@tabler/icons-react";
import styles from "./Choice.module.css";

interface ChoiceProps {
  /** Label for screen readers. */
  label: string;
  /** Visible label before the select. */
  shown?: string;
  value: string;
  options: { value: string; title: string }[];
  onChange: (value: string) => void;
}

export function Choice({ label, shown, value, options, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      {shown && <span aria-hidden>{shown}</span>}
      <span className={styles.frame}>
        <select
          className={styles.list}
          value={value}
          aria-label={label}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
        <IconChevronDown size={13} aria-hidden className={styles.arrow} />
      </span>
    </label>
  );
}
