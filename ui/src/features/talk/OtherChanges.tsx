/** What changed in the workspace besides the plan while only the plan may change: an alarm where a command of the model was at work, a line where another program was. */
import { IconAlertTriangle, IconFileAlert } from "@tabler/icons-react";
import type { TalkView } from "../../api/bindings";
import { count } from "../run/words";
import styles from "./Talk.module.css";

export function OtherChanges({ talk }: { talk: TalkView }) {
  const { changed } = talk;
  if (!changed) return null;
  const more = changed.count - changed.files.length;
  const names = (
    <>
      {changed.files.map((file, at) => (
        <span key={file}>
          {at > 0 && ", "}
          <code>{file}</code>
        </span>
      ))}
      {more > 0 && ` and ${count(more, "more file")}`}
    </>
  );
  if (!changed.is_alarm) {
    return (
      <p className={styles.notice}>
        <IconFileAlert size={14} aria-hidden />
        <span>Changed meanwhile by another program: {names}</span>
      </p>
    );
  }
  return (
    <section className={styles.card} data-tone="bad" role="alert" aria-label="Files were changed">
      <h3 className={styles.cardHead}>
        <IconAlertTriangle size={18} aria-hidden className={styles.sign} />
        <span>A command changed more than the plan</span>
      </h3>
      <p className={styles.small}>
        In plan mode nothing but the plan may change. While a command of the model ran, {names}{" "}
        changed. Look at {changed.count === 1 ? "it" : "them"} before you go on.
      </p>
    </section>
  );
}
