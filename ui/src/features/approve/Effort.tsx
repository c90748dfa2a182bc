/** How this run is carried out: who by, when its steps are thought of, how far it may go. What is left alone is as the settings and the model's profile say. */
import { NumberInput, Radio } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { EffortView, RunEffort } from "../../api/bindings";
import styles from "./Approve.module.css";
import { SideBySide } from "./Surroundings";
import { Who } from "./Who";

interface EffortProps {
  view: EffortView;
  value: RunEffort;
  onChange: (value: RunEffort) => void;
  /** How many steps may be under way at once. */
  parallel: number;
  onParallel: (steps: number) => void;
}

/** Nothing chosen. */
export const asUsual: RunEffort = {
  model: null,
  strategy: null,
  look_ahead: null,
  context: null,
  steps: null,
  calls: null,
  tokens: null,
  seconds: null,
  hand_over: null,
};

export const isUsual = (value: RunEffort) => Object.values(value).every((one) => one === null);

const strategies: Record<string, { title: string; line: string }> = {
  upfront: { title: "Upfront", line: "Only the approved steps." },
  iterative: {
    title: "Iterative",
    line: "After each step the model adds the next ones to the plan.",
  },
  hybrid: {
    title: "Hybrid",
    line: "Each step is split into smaller ones when its turn comes.",
  },
};

const contexts: Record<string, { title: string; line: string }> = {
  minimal: { title: "Minimal", line: "Results of earlier steps and pinned notes." },
  relevant: {
    title: "Relevant",
    line: "Also the files the step names, and related facts.",
  },
  full: { title: "Full", line: "Everything known, up to the model’s window." },
};

const from: Record<string, string> = {
  plan: "from the plan",
  profile: "from the model’s profile",
  settings: "from your settings",
};

export function strategyWords(strategy: string): string {
  return strategies[strategy]?.title ?? strategy;
}

const number = new Intl.NumberFormat("en");

export function Effort({ view, value, onChange, parallel, onParallel }: EffortProps) {
  const model = value.model === "" ? null : view.model;
  const over = view.executors.find((one) => one.name === value.hand_over);
  const strategy = value.strategy ?? view.strategy;
  const ahead = value.look_ahead ?? view.look_ahead;
  const set = (part: Partial<RunEffort>) => onChange({ ...value, ...part });
  const line = [
    over ? `${over.name}: ${over.line}` : (model ?? "no model: you do steps without calls"),
    model && strategyWords(strategy),
    model && strategy === "iterative" && `${ahead} ahead`,
    parallel > 1 && `${parallel} steps at once`,
    model && `at most ${number.format(value.calls ?? view.calls)} requests`,
  ];
  return (
    <details className={styles.effort}>
      <summary className={styles.effortHead}>
        <IconChevronRight size={14} className={styles.arrow} aria-hidden />
        <span>Effort · Advanced</span>
        <span className={styles.dim}>{line.filter(Boolean).join(" · ")}</span>
      </summary>
      <div className={styles.effortBody}>
        <SideBySide value={parallel} onChange={onParallel} />
        <Who view={view} value={value} onChange={set} />
        {model && (
          <Radio.Group
            label="Planning strategy"
            size="sm"
            value={strategy}
            onChange={(chosen) => set({ strategy: chosen === view.strategy ? null : chosen })}
          >
            <div className={styles.choices} style={{ marginTop: 8 }}>
              {Object.entries(strategies).map(([name, { title, line }]) => (
                <Radio
                  key={name}
                  size="xs"
                  value={name}
                  label={
                    name === view.strategy
                      ? `${title}, ${from[view.strategy_from] ?? "default"}`
                      : title
                  }
                  description={line}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        {model && (
          <Radio.Group
            label="Context for each step"
            size="sm"
            value={value.context ?? view.context}
            onChange={(chosen) => set({ context: chosen === view.context ? null : chosen })}
          >
            <div className={styles.choices} style={{ marginTop: 8 }}>
              {Object.entries(contexts).map(([name, { title, line }]) => (
                <Radio
                  key={name}
                  size="xs"
                  value={name}
                  label={name === view.context ? `${title}, from your settings` : title}
                  description={line}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        {model && (
          <div className={styles.limits}>
            <Limit
              label="Steps ahead"
              usual={view.look_ahead}
              most={3}
              value={value.look_ahead}
              onChange={(look_ahead) => set({ look_ahead })}
            />
            <Limit
              label="New steps"
              usual={view.steps}
              value={value.steps}
              onChange={(steps) => set({ steps })}
            />
            <Limit
              label="Requests"
              usual={view.calls}
              value={value.calls}
              onChange={(calls) => set({ calls })}
            />
            <Limit
              label="Tokens"
              usual={view.tokens}
              value={value.tokens}
              onChange={(tokens) => set({ tokens })}
            />
            <Limit
              label="Minutes"
              usual={Math.round(view.seconds / 60)}
              value={value.seconds === null ? null : Math.round(value.seconds / 60)}
              onChange={(minutes) => set({ seconds: minutes === null ? null : minutes * 60 })}
            />
          </div>
        )}
      </div>
    </details>
  );
}

interface LimitProps {
  label: string;
  usual: number;
  most?: number;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** One limit; what is emptied is as usual again. */
function Limit({ label, usual, most, value, onChange }: LimitProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      min={1}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      clampBehavior="strict"
      placeholder={number.format(usual)}
      value={value ?? ""}
      onChange={(typed) => onChange(typeof typed === "number" && typed >= 1 ? typed : null)}
    />
  );
}
