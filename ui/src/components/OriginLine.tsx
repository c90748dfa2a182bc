/** The quiet line that says how a plan comes to be: small words beside each other, which go on below where there is no room. */
import type { ReactNode } from "react";
import styles from "./OriginLine.module.css";

interface OriginLineProps {
  /** More than is said, for those who rest on it. */
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
