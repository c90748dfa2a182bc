/** Shows which keys can follow the first key of a chord. It fades in after a moment, so that people who know the keys don't see it; `data-chord` is set at once. */
import { Kbd } from "../components/Kbd";
import { useStore } from "../lib/store";
import { words } from "../words";
import styles from "./ChordHint.module.css";
import { type Action, startedChord } from "./keys";

export function ChordHint() {
  const chord = useStore(startedChord);
  if (!chord) return null;
  return (
    <section
      className={styles.hint}
      aria-label={words.app.chord.label}
      data-chord={chord.strokes}
      key={chord.strokes}
    >
      <p className={styles.begun}>
        <Kbd keys={chord.strokes} /> {words.app.chord.continuation}
      </p>
      <ul className="pw-list pw-column pw-gap-6">
        {byKey(chord.actions).map((action) => (
          <li key={action.id} className="pw-row pw-gap-10">
            <Kbd keys={action.keys.slice(chord.strokes.length + 1)} />
            <span className="pw-cut pw-slim">{action.title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function byKey(actions: Action[]): Action[] {
  return [...actions].sort((a, b) => a.keys.localeCompare(b.keys));
}
