/** Words that stayed, came or went, in reading order: what came is underlined, what went is struck through, and both are said. */
import type { WordRun } from "../../api/bindings";
import styles from "./WordRuns.module.css";

export function WordRuns({ words }: { words: WordRun[] }) {
  return (
    <span className={styles.words} dir="auto">
      {words.map((run, at) => {
        switch (run.kind) {
          case "added":
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
              <ins key={at} className={styles.added}>
                <span className="pw-sr"> added: </span>
                {run.text}
                <span className="pw-sr"> end of added. </span>
              </ins>
            );
          case "removed":
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
              <del key={at} className={styles.removed}>
                <span className="pw-sr"> removed: </span>
                {run.text}
                <span className="pw-sr"> end of removed. </span>
              </del>
            );
          default:
            return run.text;
        }
      })}
    </span>
  );
}
