/** Says which keys go on with a chord that was begun. Drawn after a moment, so that who knows the keys never sees it; the attribute is there at once. */
import { Kbd } from "../components/Kbd";
import { useStore } from "../lib/store";
import styles from "./ChordHint.module.css";
import { type Action, begunChord } from "./keys";

export function ChordHint() {
  const chord = useStore(begunChord);
  if (!chord) return null;
  return (
    <section
      className={styles.hint}
      aria-label="Keys that go on"
      data-chord={chord.strokes}
      key={chord.strokes}
    >
      <p className={styles.begun}>
        <Kbd keys={chord.strokes} /> and then
      </p>
      <ul className={styles.list}>
        {byKey(chord.reach).map((action) => (
          <li key={action.id} className={styles.row}>
            <Kbd keys={action.keys.slice(chord.strokes.length + 1)} />
            <span className={styles.title}>{action.title}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function byKey(reach: Action[]): Action[] {
  return [...reach].sort((a, b) => a.keys.localeCompare(b.keys));
}
