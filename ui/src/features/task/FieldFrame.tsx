/** The frame of a field: its label, its error, and both texts after a conflict. */
import { Button } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { Code } from "../../components/Code";
import { words } from "../../words";
import styles from "./Field.module.css";
import type { Field } from "./useField";

const { trouble } = words.task;

interface FieldFrameProps {
  label: string;
  field: Field;
  hint?: string;
  /** The id of the control that the label belongs to; omitted for groups, which have their own name. */
  htmlFor?: string;
  children: ReactNode;
}

export function FieldFrame({ label, field, hint, htmlFor, children }: FieldFrameProps) {
  return (
    <div className={styles.field} data-dirty={field.isDirty || undefined}>
      {htmlFor ? (
        <label className={styles.label} htmlFor={htmlFor}>
          {label}
        </label>
      ) : (
        <span className={styles.label} aria-hidden>
          {label}
        </span>
      )}
      <div className="pw-slim">
        {children}
        {hint && <p className={styles.hint}>{hint}</p>}
        <FieldTrouble label={label} field={field} />
      </div>
    </div>
  );
}

/** Why the typed text isn't in the plan, and what can be done. Renders nothing if there is no problem. */
export function FieldTrouble({ label, field }: { label: string; field: Field }) {
  const box = useRef<HTMLDivElement>(null);
  // The pressed button disappears, so focus returns to the field.
  const then = (act: () => void) => () => {
    const control = box.current?.parentElement;
    act();
    control?.querySelector<HTMLElement>(":is(textarea,input:not([type=hidden]))")?.focus();
  };
  if (field.clash) {
    return (
      <div ref={box} className={styles.clash} role="alert">
        <p className="pw-bold">{trouble.conflict(label)}</p>
        <div className={styles.sides}>
          <section aria-label={trouble.mine}>
            <p className={styles.side}>{trouble.mine}</p>
            <Code block lines={6} label={trouble.mineText}>
              {field.text || trouble.empty}
            </Code>
          </section>
          <section aria-label={trouble.theirs}>
            <p className={styles.side}>{trouble.theirs}</p>
            <Code block lines={6} label={trouble.theirsText}>
              {field.clash.theirs || trouble.empty}
            </Code>
          </section>
        </div>
        <div className={styles.actions}>
          <Button size="xs" onClick={then(field.keepMine)}>
            {trouble.keepMine}
          </Button>
          <Button size="xs" variant="default" onClick={then(field.takeTheirs)}>
            {trouble.keepTheirs}
          </Button>
        </div>
      </div>
    );
  }
  if (field.error) {
    return (
      <div ref={box} className={styles.error} role="alert">
        <p>{field.error}</p>
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={then(field.write)}>
            {trouble.retry}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={then(field.discard)}>
            {trouble.discard}
          </Button>
        </div>
      </div>
    );
  }
  if (field.isRestored && !field.isWriting) {
    return (
      <div ref={box} className={styles.kept} role="status">
        <p>{trouble.unsaved}</p>
        <div className={styles.actions}>
          <Button size="xs" variant="default" onClick={then(field.write)}>
            {trouble.save}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={then(field.discard)}>
            {trouble.discard}
          </Button>
        </div>
      </div>
    );
  }
  return null;
}
