/** One line of plain text in which backticks mark code; never parsed as HTML. */
import styles from "./Inline.module.css";

const spans = /(`[^`]+`)/;

export function Inline({ children }: { children: string }) {
  if (!children.includes("`")) return children;
  return children.split(spans).map((part, at) =>
    part.length > 2 && part.startsWith("`") && part.endsWith("`") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and keep their order
      <code key={at} className={styles.code}>
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}
