/** One step of a run: what its model was given, its timeline, what it found, what it prints now. */
import { IconAlertTriangle } from "@tabler/icons-react";
import type { HandedTo, RunStep } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { GivenContext } from "./GivenContext";
import { LiveOutput } from "./LiveOutput";
import { ModelWork } from "./ModelWork";
import styles from "./RunPanel.module.css";
import { Timeline } from "./Timeline";
import { count } from "./words";

/** How many facts are listed: the newest. */
const factsShown = 20;

interface StepViewProps {
  step: RunStep;
  /** What events told since the step was asked for. */
  discoveries?: string[];
  /** A card says why it failed. */
  isSaid?: boolean;
}

export function StepView({ step, discoveries = [], isSaid = false }: StepViewProps) {
  const found = [...new Set([...step.discoveries, ...discoveries])];
  const earlier = Math.max(0, found.length - factsShown);
  const isRunning = step.state === "running";
  return (
    <>
      {step.reason && !isSaid && (
        <p className={styles.reason} dir="auto">
          {step.attempts > 1 && <strong>Attempt {step.attempts}. </strong>}
          <Inline>{step.reason}</Inline>
        </p>
      )}
      {step.notes.map((note) => (
        <p key={note} className={styles.note} dir="auto">
          <IconAlertTriangle size={13} aria-hidden /> {note}
        </p>
      ))}
      {step.handed_to && <HandedOver to={step.handed_to} />}
      {step.context && <GivenContext context={step.context} />}
      {step.model && <ModelWork model={step.model} isRunning={isRunning} />}
      {step.actions.length > 0 && <Timeline actions={step.actions} isRunning={isRunning} />}
      {isRunning && step.output && <LiveOutput output={step.output} isCut={step.output_is_cut} />}
      {found.length > 0 && (
        <section>
          <h3 className={styles.caption}>{isRunning ? "DISCOVERED SO FAR" : "DISCOVERED"}</h3>
          <ul className={styles.found}>
            {earlier > 0 && <li>{count(earlier, "earlier fact")} not listed</li>}
            {found.slice(earlier).map((fact) => (
              <li key={fact} dir="auto">
                {fact}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Which command of the user's the step was handed over to, and what its word is worth. */
function HandedOver({ to }: { to: HandedTo }) {
  return (
    <p className={styles.facts} dir="auto">
      Handed over to <b>{to.name}</b>. The step’s check decides, not its word.
    </p>
  );
}
