/** Who carries out the steps that have no calls of their own: the model, a command of the user's settings, or the person. Where there is nobody to choose from, nothing is shown. */
import { Radio } from "@mantine/core";
import type { EffortView, ExecutorView, RunEffort } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { executorWords } from "../settings/executors";
import styles from "./Approve.module.css";

interface WhoProps {
  view: EffortView;
  value: RunEffort;
  onChange: (part: Partial<RunEffort>) => void;
}

/** Tells the names of commands from the two others. */
const command = (name: string) => `command:${name}`;

export function Who({ view, value, onChange }: WhoProps) {
  const { model, executors } = view;
  if (!model && executors.length === 0) return null;
  const person = model ? "none" : "person";
  const chosen = value.hand_over
    ? command(value.hand_over)
    : model && value.model !== ""
      ? "model"
      : person;
  const choose = (who: string) => {
    const over = executors.find((one) => command(one.name) === who);
    // Handed over, no model thinks of steps either; without one there is nothing to leave out.
    const without = model ? "" : null;
    if (over) onChange({ hand_over: over.name, model: without });
    else onChange({ hand_over: null, model: who === "model" ? null : without });
  };
  return (
    <Radio.Group
      label="Steps done by"
      description="For steps without calls of their own."
      size="sm"
      value={chosen}
      onChange={choose}
    >
      <div className={styles.choices} style={{ marginTop: 8 }}>
        {model && (
          <Radio
            size="xs"
            value="model"
            label={model}
            description={`Profile: ${view.profile.join(" · ")}`}
          />
        )}
        {executors.map((one) => (
          <Radio
            key={one.name}
            size="xs"
            value={command(one.name)}
            label={one.name}
            description={<Command executor={one} />}
          />
        ))}
        <Radio
          size="xs"
          value={person}
          label={model ? "No model" : "You"}
          description="Steps without calls of their own wait for you."
        />
      </div>
    </Radio.Group>
  );
}

function Command({ executor }: { executor: ExecutorView }) {
  return (
    <>
      Runs <Exact>{executor.line}</Exact> with the step’s brief, {executorWords(executor)}. The
      step’s check decides, not its report.
    </>
  );
}
