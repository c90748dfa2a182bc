/** Commands, paths and output: monospaced, without ligatures, wrapped, and bounded in height. */
import { words } from "../words";
import styles from "./Code.module.css";

interface CodeProps {
  children: string;
  /** Whether it is a block, which scrolls when it is taller than `lines`. */
  block?: boolean;
  lines?: number;
  label?: string;
}

export function Code({ children, block = false, lines = 16, label }: CodeProps) {
  if (!block) {
    return (
      <code className={styles.inline} dir="ltr">
        {children}
      </code>
    );
  }
  return (
    <pre
      className={styles.block}
      style={{ maxHeight: `${lines * 17 + 20}px` }}
      dir="ltr"
      tabIndex={0}
      role="group"
      aria-label={label ?? words.components.code}
    >
      {children}
    </pre>
  );
}
