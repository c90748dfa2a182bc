/** Options for one run: who does its steps, planning strategy, context and limits. Anything left unset follows the settings and the model's profile. */
import { NumberInput, Radio } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import type { EffortView, RunEffort } from "../../api/bindings";
import { words } from "../../words";
import styles from "./Approve.module.css";
import { ExecutorChoice } from "./ExecutorChoice";
import { ParallelSteps } from "./Sections";

interface EffortProps {
  view: EffortView;
  value: RunEffort;
  onChange: (value: RunEffort) => void;
  /** Maximum number of parallel steps. */
  parallel: number;
  onParallel: (steps: number) => void;
}

/** No option is set, so all follow the settings and the model's profile. */
export const defaultEffort: RunEffort = {
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

export const isDefaultEffort = (value: RunEffort) =>
  Object.values(value).every((one) => one === null);

const { contexts, effort: w, strategies, strategySources } = words.approve;

export function strategyWords(strategy: string): string {
  return strategies[strategy]?.title ?? strategy;
}

const number = new Intl.NumberFormat("en");

export function Effort({ view, value, onChange, parallel, onParallel }: EffortProps) {
  const model = value.model === "" ? null : view.model;
  const executor = view.executors.find((one) => one.name === value.hand_over);
  const strategy = value.strategy ?? view.strategy;
  const ahead = value.look_ahead ?? view.look_ahead;
  const set = (part: Partial<RunEffort>) => onChange({ ...value, ...part });
  const line = [
    executor ? w.executor(executor.name, executor.line) : (model ?? w.noModel),
    model && strategyWords(strategy),
    model && strategy === "iterative" && w.ahead(ahead),
    parallel > 1 && w.parallel(parallel),
    model && w.requests(value.calls ?? view.calls),
  ];
  return (
    <details className={styles.effort}>
      <summary className={styles.effortHead}>
        <IconChevronRight size={14} className={styles.arrow} aria-hidden />
        <span>{w.heading}</span>
        <span className="pw-hint">{line.filter(Boolean).join(" · ")}</span>
      </summary>
      <div className={styles.effortBody}>
        <ParallelSteps value={parallel} onChange={onParallel} />
        <ExecutorChoice view={view} value={value} onChange={set} />
        {model && (
          <Radio.Group
            label={w.strategy}
            size="sm"
            value={strategy}
            onChange={(chosen) => set({ strategy: chosen === view.strategy ? null : chosen })}
          >
            <div className="pw-column pw-gap-8" style={{ marginTop: 8 }}>
              {Object.entries(strategies).map(([name, { title, line }]) => (
                <Radio
                  key={name}
                  size="xs"
                  value={name}
                  label={
                    name === view.strategy
                      ? w.preset(title, strategySources[view.strategy_from] ?? w.defaultSource)
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
            label={w.context}
            size="sm"
            value={value.context ?? view.context}
            onChange={(chosen) => set({ context: chosen === view.context ? null : chosen })}
          >
            <div className="pw-column pw-gap-8" style={{ marginTop: 8 }}>
              {Object.entries(contexts).map(([name, { title, line }]) => (
                <Radio
                  key={name}
                  size="xs"
                  value={name}
                  label={name === view.context ? w.preset(title, w.settingsSource) : title}
                  description={line}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        {model && (
          <div className={styles.limits}>
            <Limit
              label={w.stepsAhead}
              preset={view.look_ahead}
              max={3}
              value={value.look_ahead}
              onChange={(look_ahead) => set({ look_ahead })}
            />
            <Limit
              label={w.newSteps}
              preset={view.steps}
              value={value.steps}
              onChange={(steps) => set({ steps })}
            />
            <Limit
              label={w.requestLimit}
              preset={view.calls}
              value={value.calls}
              onChange={(calls) => set({ calls })}
            />
            <Limit
              label={w.tokenLimit}
              preset={view.tokens}
              value={value.tokens}
              onChange={(tokens) => set({ tokens })}
            />
            <Limit
              label={w.minuteLimit}
              preset={Math.round(view.seconds / 60)}
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
  /** The default, shown as the placeholder. */
  preset: number;
  max?: number;
  value: number | null;
  onChange: (value: number | null) => void;
}

/** The field of a limit. An empty field means the default. */
function Limit({ label, preset, max, value, onChange }: LimitProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      min={1}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      clampBehavior="strict"
      placeholder={number.format(preset)}
      value={value ?? ""}
      onChange={(typed) => onChange(typeof typed === "number" && typed >= 1 ? typed : null)}
    />
  );
}
