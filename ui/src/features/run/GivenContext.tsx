/** What a step's model was given of the workspace: one line for each thing, with why, and its text for those who want to see it. */
import { IconChevronRight } from "@tabler/icons-react";
import type { ContextItem, StepContext } from "../../api/bindings";
import styles from "./GivenContext.module.css";
import { count } from "./words";

const kinds: Record<string, string> = {
  summary: "Result",
  note: "Note",
  file: "File",
  missing: "Missing",
  fact: "Known",
};

const number = new Intl.NumberFormat("en");

export function GivenContext({ context }: { context: StepContext }) {
  const { items, left_out: leftOut } = context;
  return (
    <details className={styles.context}>
      <summary className={styles.head}>
        <IconChevronRight size={14} className={styles.arrow} aria-hidden />
        <span>What the model was given</span>
        <span className={styles.size}>
          {count(items.length, "thing")} · {number.format(context.used)} of{" "}
          {number.format(context.budget)} tokens · {context.strategy}
        </span>
      </summary>
      {items.length === 0 ? (
        <p className={styles.rest}>
          Nothing of the workspace: the step names no file, and nothing is known yet.
        </p>
      ) : (
        <ul className={styles.items}>
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place in what was sent is its name
            <li key={at}>
              <Given item={item} />
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p className={styles.rest}>
          {count(leftOut, "more thing")} {leftOut === 1 ? "was" : "were"} left out: not about this
          step, or no room.
        </p>
      )}
    </details>
  );
}

function Given({ item }: { item: ContextItem }) {
  return (
    <details className={styles.item}>
      <summary className={styles.line}>
        <span className={styles.kind} data-kind={item.kind}>
          {kinds[item.kind] ?? item.kind}
        </span>
        <span className={styles.what}>
          {/* A note or a fact is its own name. */}
          <bdi className={styles.title}>{item.title || item.text}</bdi>
          <span className={styles.reason}>{item.reason}</span>
        </span>
        <span className={styles.tokens} title="Tokens">
          {number.format(item.tokens)}
        </span>
      </summary>
      <pre className={styles.text}>{item.text}</pre>
    </details>
  );
}
