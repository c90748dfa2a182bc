/** One step of a run: its model's context and work, its timeline, its live output and the facts it discovered. */
import { IconAlertTriangle } from "@tabler/icons-react";
import type { HandedTo, RunStep } from "../../api/bindings";
import { Inline } from "../../components/Inline";
import { words } from "../../words";
import { LiveOutput } from "./LiveOutput";
import { ModelContext } from "./ModelContext";
import { ModelWork } from "./ModelWork";
import styles from "./RunPanel.module.css";
import { Timeline } from "./Timeline";

/** Maximum number of facts shown; older ones are only counted. */
const maxFacts = 20;

interface StepViewProps {
  step: RunStep;
  /** Facts reported by events since the step was loaded. */
  discoveries?: string[];
  /** Whether to hide the reason for a failure, because a card already shows it. */
  hidesReason?: boolean;
}

export function StepView({ step, discoveries = [], hidesReason = false }: StepViewProps) {
  const found = [...new Set([...step.discoveries, ...discoveries])];
  const earlier = Math.max(0, found.length - maxFacts);
  const isRunning = step.state === "running";
  return (
    <>
      {step.reason && !hidesReason && (
        <p className="pw-exact pw-dim" dir="auto">
          {step.attempts > 1 && <strong>{words.run.step.attempt(step.attempts)} </strong>}
          <Inline>{step.reason}</Inline>
        </p>
      )}
      {step.notes.map((note) => (
        <p key={note} className={styles.note} dir="auto">
          <IconAlertTriangle size={13} aria-hidden /> {note}
        </p>
      ))}
      {step.handed_to && <HandedOff to={step.handed_to} />}
      {step.context && <ModelContext context={step.context} />}
      {step.model && <ModelWork model={step.model} isRunning={isRunning} />}
      {step.actions.length > 0 && <Timeline actions={step.actions} isRunning={isRunning} />}
      {isRunning && step.output && <LiveOutput output={step.output} isCut={step.output_is_cut} />}
      {found.length > 0 && (
        <section>
          <h3 className={styles.caption}>
            {isRunning ? words.run.step.discoveredSoFar : words.run.step.discovered}
          </h3>
          <ul className={styles.found}>
            {earlier > 0 && <li>{words.run.step.earlierFacts(earlier)}</li>}
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

/** The name of the user's command to which the step was handed off. */
function HandedOff({ to }: { to: HandedTo }) {
  return (
    <p className="pw-hint" dir="auto">
      {words.run.step.handedOffTo} <b>{to.name}</b>. {words.run.step.checkDecides}
    </p>
  );
}
