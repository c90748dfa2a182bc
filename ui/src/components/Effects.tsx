/** What a step does, as its approval and its card say it: reads, edits, creates, deletes, runs, or waits. Paths, commands and calls are shown whole; where the lines are known that an edit would change, they stand in place of the call. */
import type { StepEffect } from "../api/bindings";
import { Diff } from "./Diff";
import styles from "./Effects.module.css";
import { Exact } from "./Exact";
import { Inline } from "./Inline";

/** Verbs that a sentence follows; all others are followed by a path or a command, sign by sign. */
const inWords = ["waits for you", "asks", "shows", "only if"];

export function Effects({ effects }: { effects: StepEffect[] }) {
  if (effects.length === 0) return null;
  return (
    <ul className={styles.effects}>
      {effects.map((effect, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a command can stand twice
        <li key={at} className={styles.effect} data-verb={effect.verb}>
          <span className={styles.verb}>{effect.verb}</span>
          <div className={styles.subject}>
            {inWords.includes(effect.verb) ? (
              <span className={styles.words} dir="auto">
                <Inline>{effect.subject}</Inline>
              </span>
            ) : (
              <Exact>{effect.subject}</Exact>
            )}
            {effect.call && (
              <div className={styles.call}>
                <Exact>{effect.call}</Exact>
              </div>
            )}
          </div>
          {effect.diff.length > 0 && (
            <div className={styles.diff}>
              <Diff
                lines={effect.diff}
                label={`What would change in ${effect.subject}`}
                height={10}
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
