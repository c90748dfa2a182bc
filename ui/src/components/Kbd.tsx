/** Key caps, written as this platform writes them. */
import { keyCaps } from "../lib/keyText";
import styles from "./Kbd.module.css";

export function Kbd({ keys, small = false }: { keys: string; small?: boolean }) {
  return (
    <span className={styles.caps} data-small={small || undefined}>
      {keyCaps(keys).map((stroke, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strokes of one fixed text never move
        <span key={at} className={styles.stroke}>
          {stroke.map((cap) => (
            <kbd key={cap} className={styles.cap}>
              {cap}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
