/** One line: which template a plan is made from, what it took from the goal, and the way to do without it. */
import type { ReactNode } from "react";
import { LinkButton } from "./LinkButton";
import { OriginLine } from "./OriginLine";
import styles from "./TemplateLine.module.css";

interface TemplateLineProps {
  name: string;
  /** Why this one, for those who ask. */
  reason: string;
  /** Names and values. */
  took: [string, string][];
  /** What the link does: "Without the template". */
  label: string;
  isBusy?: boolean;
  onClick: () => void;
  /** What else is to be said of how the plan came to be. */
  children?: ReactNode;
}

export function TemplateLine(props: TemplateLineProps) {
  const { name, reason, took, label, isBusy = false, onClick, children } = props;
  return (
    <OriginLine title={reason}>
      <span>
        From the template <strong>{name}</strong>
        {took.length > 0 && ":"}
      </span>
      {took.map(([what, value]) => (
        <span key={what} className={styles.took}>
          {what} <bdi>{value}</bdi>
        </span>
      ))}
      <LinkButton disabled={isBusy} onClick={onClick}>
        {label}
      </LinkButton>
      {children}
    </OriginLine>
  );
}
