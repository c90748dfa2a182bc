/** Key caps, written as this platform writes them. */
import { keyCaps } from "../lib/keyText";
import styles from "./Kbd.module.css";

interface KbdProps {
  keys: string;
  small?: boolean;
  /** Hidden from screen readers, where it would only lengthen the name of a button. */
  hidden?: boolean;
}

export function Kbd({ keys, small = false, hidden = false }: KbdProps) {
  return (
    <span className={styles.caps} data-small={small || undefined} aria-hidden={hidden || undefined}>
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
