/** Around every field: its name, what went wrong, and both texts when it was changed meanwhile. */
import { Button } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { Code } from "../../components/Code";
import styles from "./Field.module.css";
import type { Field } from "./useField";

interface FieldFrameProps {
  label: string;
  field: Field;
  hint?: string;
  /** Id of the control, for its label; left out for groups, which name themselves. */
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
      <div className={styles.control}>
        {children}
        {hint && <p className={styles.hint}>{hint}</p>}
        <FieldTrouble label={label} field={field} />
      </div>
    </div>
  );
}

/** What stands between the typed text and the plan, with the ways out. Draws nothing when all is well. */
export function FieldTrouble({ label, field }: { label: string; field: Field }) {
  const box = useRef<HTMLDivElement>(null);
  // The button that is pressed goes away with the trouble: the focus goes back to the field.
  const then = (act: () => void) => () => {
    const control = box.current?.parentElement;
    act();
    control?.querySelector<HTMLElement>("textarea, input:not([type=hidden])")?.focus();
  };
  if (field.clash) {
    return (
      <div ref={box} className={styles.clash} role="alert">
        <p className={styles.clashTitle}>{label}: changed meanwhile</p>
        <div className={styles.sides}>
          <section aria-label="Yours">
            <p className={styles.side}>Yours</p>
            <Code block lines={6} label="Your text">
              {field.text || "(empty)"}
            </Code>
          </section>
          <section aria-label="In the file now">
            <p className={styles.side}>In the file now</p>
            <Code block lines={6} label="The file's text">
              {field.clash.theirs || "(empty)"}
            </Code>
          </section>
        </div>
        <div className={styles.ways}>
          <Button size="xs" onClick={then(field.keepMine)}>
            Write mine
          </Button>
          <Button size="xs" variant="default" onClick={then(field.takeTheirs)}>
            Take the file's
          </Button>
        </div>
      </div>
    );
  }
  if (field.error) {
    return (
      <div ref={box} className={styles.error} role="alert">
        <p>{field.error}</p>
        <div className={styles.ways}>
          <Button size="xs" variant="default" onClick={then(field.write)}>
            Try again
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={then(field.giveUp)}>
            Give up this text
          </Button>
        </div>
      </div>
    );
  }
  if (field.isRestored && !field.isWriting) {
    return (
      <div ref={box} className={styles.kept} role="status">
        <p>Typed before; not in the plan yet.</p>
        <div className={styles.ways}>
          <Button size="xs" variant="default" onClick={then(field.write)}>
            Write it
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={then(field.giveUp)}>
            Give it up
          </Button>
        </div>
      </div>
    );
  }
  return null;
}
