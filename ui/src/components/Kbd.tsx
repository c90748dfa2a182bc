/** Key caps in this platform's notation. */
import { keyCaps } from "../lib/keyText";
import styles from "./Kbd.module.css";

interface KbdProps {
  keys: string;
  small?: boolean;
  /** Whether to hide the keys from screen readers, because they would only lengthen a button's name. */
  hidden?: boolean;
}

export function Kbd({ keys, small = false, hidden = false }: KbdProps) {
  return (
    <span className={styles.caps} data-small={small || undefined} aria-hidden={hidden || undefined}>
      {keyCaps(keys).map((stroke, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the strokes of a key never move
        <span key={at} className="pw-inline pw-gap-4">
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
