/** A command or path to approve, byte for byte: complete, wrapped, left to right, with a mark for every invisible character. */
import { words } from "../words";
import styles from "./Exact.module.css";
import { codePoint, pieces, signName } from "./exactText";

interface ExactProps {
  children: string;
  /** Whether it is a block, which scrolls when it is taller than `lines`. */
  block?: boolean;
  lines?: number;
  label?: string;
}

export function Exact({ children, block = false, lines = 18, label }: ExactProps) {
  const drawn = pieces(children).map((piece, at) =>
    piece.isSign ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
      <span key={at} className={styles.sign} title={codePoint(piece.text)}>
        {signName(piece.text)}
      </span>
    ) : (
      piece.text
    ),
  );
  if (!block) {
    return (
      <code className="pw-exact pw-break pw-small" dir="ltr">
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
      aria-label={label ?? words.components.command}
    >
      {drawn}
    </pre>
  );
}
