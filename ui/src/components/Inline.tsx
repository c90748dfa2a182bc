/** One line of a plan's own words: what stands between back-ticks is drawn as code, everything else is text. Never HTML. */
import styles from "./Inline.module.css";

const spans = /(`[^`]+`)/;

export function Inline({ children }: { children: string }) {
  if (!children.includes("`")) return children;
  return children.split(spans).map((part, at) =>
    part.length > 2 && part.startsWith("`") && part.endsWith("`") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id, and keep their order
      <code key={at} className={styles.code}>
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}
