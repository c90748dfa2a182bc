/** One line in the conversation while a run works: which step it is at, and the way to what it does. */
import { IconPlayerPlay } from "@tabler/icons-react";
import type { RunView } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { showPanel } from "../run/panel";
import { useCurrent } from "../run/RunHead";
import { goesOn } from "../run/shown";
import styles from "./Talk.module.css";

export function RunStrip({ view }: { view: RunView }) {
  const current = useCurrent(view);
  // What waits has a card of its own.
  if (!goesOn(view) || view.questions.length > 0) return null;
  const title = view.steps.find((step) => step.task === current?.task)?.title;
  return (
    <section className={styles.strip} aria-label="Run">
      <IconPlayerPlay size={14} aria-hidden />
      <p className={styles.stripText} dir="auto">
        {current ? (
          <>
            Running step {current.step}/{current.steps} · {current.task}
            {title && (
              <>
                {" "}
                <Inline>{title}</Inline>
              </>
            )}
          </>
        ) : (
          "Running"
        )}
      </p>
      <button type="button" className={styles.link} onClick={() => showPanel("run", view.run)}>
        Show run
      </button>
    </section>
  );
}
