/** The effects of a step, in its approval and its card: reads, edits, creates, deletes, runs, or waits. Paths, commands and calls are shown in full. An edit shows its diff in place of the call, if the lines are known. */
import type { EffectVerb, StepEffect } from "../api/bindings";
import { words } from "../words";
import { Diff } from "./Diff";
import styles from "./Effects.module.css";
import { Exact } from "./Exact";
import { Inline } from "./Inline";

/** Verbs followed by a sentence. Every other verb is followed by a path or command, shown byte for byte. */
const sentenceVerbs: EffectVerb[] = ["waits_for_you", "asks", "shows", "only_if"];

export function Effects({ effects }: { effects: StepEffect[] }) {
  if (effects.length === 0) return null;
  return (
    <ul className={styles.effects}>
      {effects.map((effect, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a command can occur twice
        <li key={at} className={styles.effect} data-verb={effect.verb}>
          <span className={styles.verb}>{words.components.effects[effect.verb]}</span>
          <div className="pw-slim">
            {sentenceVerbs.includes(effect.verb) ? (
              <span className="pw-exact-break" dir="auto">
                <Inline>{effect.subject}</Inline>
              </span>
            ) : (
              <Exact>{effect.subject}</Exact>
            )}
            {effect.call && (
              <div className="pw-hint">
                <Exact>{effect.call}</Exact>
              </div>
            )}
          </div>
          {effect.diff.length > 0 && (
            <div className={styles.diff}>
              <Diff
                lines={effect.diff}
                label={words.components.diff.changesTo(effect.subject)}
                height={10}
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
