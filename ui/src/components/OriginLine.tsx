/** A small line that says how a plan was made. It wraps if there is no room. */
import type { ReactNode } from "react";
import styles from "./OriginLine.module.css";

interface OriginLineProps {
  /** Tooltip with more detail. */
  title?: string;
  children: ReactNode;
}

export function OriginLine({ title, children }: OriginLineProps) {
  return (
    <p className={styles.line} title={title}>
      {children}
    </p>
  );
}
