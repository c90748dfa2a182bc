/** One line in the conversation while a run is active: its current step, and a button that shows the run. */
import { IconPlayerPlay } from "@tabler/icons-react";
import type { RunView } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { showPanel } from "../run/panel";
import { useCurrent } from "../run/RunHead";
import { goesOn } from "../run/shown";
import styles from "./Talk.module.css";

const w = words.talk.run;

export function RunStrip({ view }: { view: RunView }) {
  const current = useCurrent(view);
  // While the run waits for answers, cards show its questions instead.
  if (!goesOn(view) || view.questions.length > 0) return null;
  const title = view.steps.find((step) => step.task === current?.task)?.title;
  return (
    <section className={styles.strip} aria-label={w.label}>
      <IconPlayerPlay size={14} aria-hidden />
      <p className="pw-cut pw-fill" dir="auto">
        {current ? (
          <>
            {w.step(current.step, current.steps, current.task)}
            {title && (
              <>
                {" "}
                <Inline>{title}</Inline>
              </>
            )}
          </>
        ) : (
          w.running
        )}
      </p>
      <button type="button" className={styles.link} onClick={() => showPanel("run", view.run)}>
        {w.show}
      </button>
    </section>
  );
}
