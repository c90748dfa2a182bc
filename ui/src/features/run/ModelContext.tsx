/** The context that was sent to a step's model: each item with its reason, and its text when it is opened. */
import { IconChevronRight } from "@tabler/icons-react";
import type { ContextItem, StepContext } from "../../api/bindings";
import { words } from "../../words";
import styles from "./ModelContext.module.css";

export function ModelContext({ context }: { context: StepContext }) {
  const { items, left_out: leftOut } = context;
  return (
    <details className={styles.context}>
      <summary className={styles.head}>
        <IconChevronRight size={14} className={styles.arrow} aria-hidden />
        <span>{words.run.context.title}</span>
        <span className={styles.size}>
          {words.run.context.size(items.length, context.used, context.budget)} · {context.strategy}
        </span>
      </summary>
      {items.length === 0 ? (
        <p className={styles.rest}>{words.run.context.empty}</p>
      ) : (
        <ul className={styles.items}>
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items are identified by their position
            <li key={at}>
              <Item item={item} />
            </li>
          ))}
        </ul>
      )}
      {leftOut > 0 && <p className={styles.rest}>{words.run.context.leftOut(leftOut)}</p>}
    </details>
  );
}

function Item({ item }: { item: ContextItem }) {
  return (
    <details className={styles.item}>
      <summary className={styles.line}>
        <span className={styles.kind} data-kind={item.kind}>
          {words.run.context.kinds[item.kind] ?? item.kind}
        </span>
        <span className="pw-fill pw-column">
          {/* Notes and facts have no title. */}
          <bdi className="pw-cut">{item.title || item.text}</bdi>
          <span className={styles.reason}>{item.reason}</span>
        </span>
        <span className={styles.tokens} title={words.run.context.tokensTooltip}>
          {words.run.context.tokens(item.tokens)}
        </span>
      </summary>
      <pre className={styles.text}>{item.text}</pre>
    </details>
  );
}
