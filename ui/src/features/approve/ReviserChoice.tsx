/** Chooses who revises the plan: the agent that wrote it, the model if there is one, or nobody. */
import { Radio } from "@mantine/core";
import type { Reviser } from "../../api/bindings";
import { words } from "../../words";

const w = words.approve.request;

interface ReviserChoiceProps {
  /** The title of the agent that wrote the plan. */
  writer: string;
  hasModel: boolean;
  value: Reviser;
  onChange: (reviser: Reviser) => void;
}

export function ReviserChoice({ writer, hasModel, value, onChange }: ReviserChoiceProps) {
  return (
    <Radio.Group
      label={w.reviser}
      size="sm"
      value={value}
      onChange={(reviser) => onChange(reviser as Reviser)}
    >
      <div className="pw-column pw-gap-8" style={{ marginTop: 8 }}>
        <Radio size="xs" value="agent" label={w.writer(writer)} />
        {hasModel && <Radio size="xs" value="model" label={w.model} />}
        <Radio size="xs" value="nobody" label={w.nobody} />
      </div>
    </Radio.Group>
  );
}
