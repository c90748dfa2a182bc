/** The goal in the person's own words, and the requirements that were read from it. */
import type { Outline } from "../../api/bindings";
import { availableActions } from "../../app/keys";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import styles from "./Talk.module.css";

/** The outline's own action that opens goal and requirements for editing. */
const editHead = "outline.editHead";

export function GoalSaid({ outline }: { outline: Outline }) {
  const { goal, requirements } = outline;
  const edit = () =>
    availableActions()
      .find((action) => action.id === editHead)
      ?.run();
  return (
    <section aria-label="Goal">
      <p className={styles.who}>You</p>
      <p className={`${styles.words} ${styles.goal}`} dir="auto" title={goal ?? outline.title}>
        {goal ?? outline.title}
      </p>
      {requirements.length > 0 && (
        <ul className={styles.chips} aria-label="Requirements">
          {requirements.map((one) => (
            <li key={one.id}>
              <Chip title={one.text}>
                {one.id}{" "}
                <bdi>
                  <Inline>{one.text}</Inline>
                </bdi>
              </Chip>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.dim}>
        {requirements.length > 0 ? "read from your goal — " : "no requirement yet — "}
        <button type="button" className={styles.link} onClick={edit}>
          edit
        </button>
      </p>
    </section>
  );
}
