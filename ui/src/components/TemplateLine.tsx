/** A line with the template of a plan, the values taken from the goal, and a link to remove the template. */
import type { ReactNode } from "react";
import { words } from "../words";
import { LinkButton } from "./LinkButton";
import { OriginLine } from "./OriginLine";
import styles from "./TemplateLine.module.css";

interface TemplateLineProps {
  name: string;
  /** Why this template was chosen; a tooltip. */
  reason: string;
  /** Parameters of the template: names and values. */
  took: [string, string][];
  /** Label of the link: "Without the template". */
  label: string;
  isBusy?: boolean;
  onClick: () => void;
  /** More text about how the plan was made. */
  children?: ReactNode;
}

export function TemplateLine(props: TemplateLineProps) {
  const { name, reason, took, label, isBusy = false, onClick, children } = props;
  return (
    <OriginLine title={reason}>
      <span>
        {words.components.template.from} <strong>{name}</strong>
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
