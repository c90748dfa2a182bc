/** The goal in the person's own words, and the requirements that were read from it. */
import type { Outline } from "../../api/bindings";
import { availableActions } from "../../app/keys";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import styles from "./Talk.module.css";

/** The outline's own action that opens goal and requirements for editing. */
const editHead = "outline.editHead";

export function GoalSaid({ outline }: { outline: Outline }) {
  const goal = outline.goal ?? outline.title;
  return (
    <section aria-label="Goal">
      <p className={styles.who}>You</p>
      <p className={`${styles.words} ${styles.goal}`} dir="auto" title={goal}>
        {goal}
      </p>
      <RequirementChips outline={outline} />
    </section>
  );
}

/** What was read from the goal, and the way to change it. */
export function RequirementChips({ outline }: { outline: Outline }) {
  const { requirements } = outline;
  const edit = () =>
    availableActions()
      .find((action) => action.id === editHead)
      ?.run();
  return (
    <>
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
    </>
  );
}
