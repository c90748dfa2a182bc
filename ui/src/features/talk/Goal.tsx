/** The goal as the person wrote it, and the requirements that were read from it. */
import type { Outline } from "../../api/bindings";
import { availableActions } from "../../app/keys";
import { Chip } from "../../components/Chip";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import styles from "./Talk.module.css";

const w = words.talk.goal;

/** The id of the outline's action that edits the goal and the requirements. */
const editHead = "outline.editHead";

export function Goal({ outline }: { outline: Outline }) {
  const goal = outline.goal ?? outline.title;
  return (
    <section aria-label={w.label}>
      <p className={styles.who}>{words.talk.conversation.you}</p>
      <p className={`${styles.words} ${styles.goal}`} dir="auto" title={goal}>
        {goal}
      </p>
      <RequirementChips outline={outline} />
    </section>
  );
}

/** The requirements that were read from the goal, with a button to edit them. */
export function RequirementChips({ outline }: { outline: Outline }) {
  const { requirements } = outline;
  const edit = () =>
    availableActions()
      .find((action) => action.id === editHead)
      ?.run();
  return (
    <>
      {requirements.length > 0 && (
        <ul className={styles.chips} aria-label={w.requirements}>
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
        {requirements.length > 0 ? w.fromGoal : w.noRequirements} ·{" "}
        <button type="button" className={styles.link} onClick={edit}>
          {w.edit}
        </button>
      </p>
    </>
  );
}
