/** Words in reading order: inserted ones are underlined, deleted ones are struck through, and both are announced to screen readers. */
import type { WordRun } from "../../api/bindings";
import { words as catalogue } from "../../words";
import styles from "./WordRuns.module.css";

const text = catalogue.history.changes;

export function WordRuns({ words }: { words: WordRun[] }) {
  return (
    <span className={styles.words} dir="auto">
      {words.map((run, at) => {
        switch (run.kind) {
          case "added":
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
              <ins key={at} className={styles.added}>
                <span className="pw-sr"> {text.added} </span>
                {run.text}
                <span className="pw-sr"> {text.endAdded} </span>
              </ins>
            );
          case "removed":
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
              <del key={at} className={styles.removed}>
                <span className="pw-sr"> {text.removed} </span>
                {run.text}
                <span className="pw-sr"> {text.endRemoved} </span>
              </del>
            );
          default:
            return run.text;
        }
      })}
    </span>
  );
}
