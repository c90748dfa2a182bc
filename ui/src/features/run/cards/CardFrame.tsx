/** The frame of a card: icon, title and content. The frame itself is focusable, so that going to a card never focuses a button. */
import type { ReactNode } from "react";
import type { RunQuestion } from "../../../api/bindings";
import { questionTitle } from "../labels";
import { cardId } from "../shown";
import styles from "./Card.module.css";

interface CardFrameProps {
  question: RunQuestion;
  tone: "warn" | "risk" | "bad" | "accent";
  icon: ReactNode;
  children: ReactNode;
}

export function CardFrame({ question, tone, icon, children }: CardFrameProps) {
  const id = cardId(question);
  return (
    <section
      id={id}
      className={styles.card}
      data-tone={tone}
      data-kind={question.kind}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
    >
      <h3 id={`${id}-title`} className={styles.head}>
        <span className={styles.sign} aria-hidden>
          {icon}
        </span>
        {questionTitle(question)}
      </h3>
      {children}
    </section>
  );
}
