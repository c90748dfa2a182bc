/** Files other than the plan that changed in Plan mode: an alert if they changed while the model ran a command, a line if another program changed them. */
import { IconAlertTriangle, IconFileAlert } from "@tabler/icons-react";
import type { TalkView } from "../../api/bindings";
import { words } from "../../words";
import styles from "./Talk.module.css";

const w = words.talk.otherChanges;

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
      {more > 0 && w.more(more)}
    </>
  );
  if (!changed.is_alarm) {
    return (
      <p className={styles.notice}>
        <IconFileAlert size={14} aria-hidden />
        <span>{w.byOtherProgram(names)}</span>
      </p>
    );
  }
  return (
    <section className={styles.card} data-tone="bad" role="alert" aria-label={w.label}>
      <h3 className={styles.cardHead}>
        <IconAlertTriangle size={18} aria-hidden className={styles.sign} />
        <span>{w.title}</span>
      </h3>
      <p className={styles.small}>{w.byCommand(names, changed.count)}</p>
    </section>
  );
}
