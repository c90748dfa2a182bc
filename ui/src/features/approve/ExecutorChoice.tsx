/** Chooses who does the steps without calls: the model, a command from the settings, or the person. Shows nothing when there is no choice. */
import { Radio } from "@mantine/core";
import type { EffortView, RunEffort } from "../../api/bindings";
import { Exact } from "../../components/Exact";
import { words } from "../../words";
import { executorWords } from "../settings/executors";

const w = words.approve.executor;

interface ExecutorChoiceProps {
  view: EffortView;
  value: RunEffort;
  onChange: (part: Partial<RunEffort>) => void;
}

/** The option value for a command; it can't clash with the values for the model and the person. */
const command = (name: string) => `command:${name}`;

export function ExecutorChoice({ view, value, onChange }: ExecutorChoiceProps) {
  const { model, executors } = view;
  if (!model && executors.length === 0) return null;
  const person = model ? "none" : "person";
  const chosen = value.hand_over
    ? command(value.hand_over)
    : model && value.model !== ""
      ? "model"
      : person;
  const choose = (who: string) => {
    const executor = executors.find((one) => command(one.name) === who);
    // An empty name turns the model off, so that a command or the person does the steps instead.
    const without = model ? "" : null;
    if (executor) onChange({ hand_over: executor.name, model: without });
    else onChange({ hand_over: null, model: who === "model" ? null : without });
  };
  return (
    <Radio.Group label={w.label} description={w.hint} size="sm" value={chosen} onChange={choose}>
      <div className="pw-column pw-gap-8" style={{ marginTop: 8 }}>
        {model && (
          <Radio size="xs" value="model" label={model} description={w.profile(view.profile)} />
        )}
        {executors.map((one) => (
          <Radio
            key={one.name}
            size="xs"
            value={command(one.name)}
            label={one.name}
            description={w.command(<Exact>{one.line}</Exact>, executorWords(one))}
          />
        ))}
        <Radio size="xs" value={person} label={model ? w.noModel : w.you} description={w.waits} />
      </div>
    </Radio.Group>
  );
}
