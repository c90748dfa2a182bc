/** A command or path that is being approved, byte for byte: nothing left out, wrapped, left to right, and every sign that would not be seen drawn as a mark. */
import styles from "./Exact.module.css";
import { codePoint, pieces, signName } from "./exactText";

interface ExactProps {
  children: string;
  /** A block of its own, scrolled when it is taller than `lines`. */
  block?: boolean;
  lines?: number;
  label?: string;
}

export function Exact({ children, block = false, lines = 18, label }: ExactProps) {
  const drawn = pieces(children).map((piece, at) =>
    piece.isSign ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
      <span key={at} className={styles.sign} title={codePoint(piece.text)}>
        {signName(piece.text)}
      </span>
    ) : (
      piece.text
    ),
  );
  if (!block) {
    return (
      <code className={styles.line} dir="ltr">
        {drawn}
      </code>
    );
  }
  return (
    <pre
      className={styles.block}
      style={{ maxHeight: `${lines * 17 + 20}px` }}
      dir="ltr"
      tabIndex={0}
      role="group"
      aria-label={label ?? "Command"}
    >
      {drawn}
    </pre>
  );
}
