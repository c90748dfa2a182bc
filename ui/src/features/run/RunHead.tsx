/** The head of a run: the current step and those that run in parallel, elapsed time, progress, and a notice when there is no output. */
import type { EffortView, RunView, StepModel, StepProgress } from "../../api/bindings";
import { useBeside, useProgress } from "../../api/queries";
import { duration } from "../../lib/time";
import { words } from "../../words";
import { strategyWords } from "../approve/Effort";
import { openModels } from "../settings/models/openModels";
import { runStateLabel } from "./labels";
import styles from "./RunPanel.module.css";
import { useClock } from "./useClock";

/** Milliseconds without output before a run is reported as quiet. */
export const stallMs = 10_000;

const tokens = (model: StepModel) => model.tokens_in + model.tokens_out;

/** The progress of the current step; `null` unless the run is executing. */
export function useCurrent(view: RunView): StepProgress | null {
  const progress = useProgress(view.run);
  return view.is_live || view.is_elsewhere ? (progress ?? view.current) : null;
}

/** The progress of the steps that run in parallel with the current one. */
function useParallelSteps(view: RunView): StepProgress[] {
  const progress = useBeside(view.run);
  return view.is_live || view.is_elsewhere ? (progress ?? view.beside) : [];
}

interface RunHeadProps {
  view: RunView;
  /** The model's work on the current step. */
  model: StepModel | null;
}

export function RunHead({ view, model }: RunHeadProps) {
  const current = useCurrent(view);
  const others = useParallelSteps(view);
  const isWorking = view.is_live && view.state === "running" && view.questions.length === 0;
  const clock = useClock(current, isWorking);
  // The backend's `done` includes skipped steps; the text shows the two numbers separately.
  const skipped = view.states.filter((one) => one.state === "skipped").length;
  const done = Math.max(0, view.done - skipped);
  const share = view.total > 0 ? view.done / view.total : 0;
  const shown = current ? Math.max(share, current.step / Math.max(1, current.steps)) : share;
  const quietSeconds = Math.floor(clock.quietMs / 1000);
  return (
    <header>
      <div className={styles.head}>
        <h2 className={styles.step}>
          {current
            ? words.run.head.step(current.step, current.steps, current.is_open_ended, current.task)
            : words.run.head.progress(done, skipped, view.total, runStateLabel(view.state))}
        </h2>
        <span className="pw-hint pw-rigid pw-numbers">
          {current ? duration(clock.elapsedMs) : words.run.head.activeTime(duration(view.work_ms))}
          {current && model && model.turns > 0 && ` · ${words.run.head.tokens(tokens(model))}`}
        </span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={words.run.head.progressLabel}
        aria-valuemin={0}
        aria-valuemax={view.total}
        aria-valuenow={view.done}
        aria-valuetext={words.run.head.progressValue(done, skipped, view.total)}
      >
        <div
          className={styles.fill}
          data-live={view.is_live || undefined}
          data-moves={isWorking || undefined}
          data-state={view.state}
          style={{ width: `${Math.round(shown * 100)}%` }}
        />
      </div>
      {view.effort && <Executor effort={view.effort} added={view.added} />}
      {current?.current_action && <p className={styles.doing}>{current.current_action}</p>}
      {others.length > 0 && (
        <ul className={styles.others} aria-label={words.run.head.parallelSteps}>
          {others.map((other) => (
            <li key={other.task}>
              <b>{other.task}</b> {duration(other.elapsed_ms)}
              {other.current_action && ` · ${other.current_action}`}
            </li>
          ))}
        </ul>
      )}
      {isWorking && clock.quietMs >= stallMs && (
        <p className={styles.stall} role="status">
          {/* The seconds are hidden from screen readers, which would announce each change. */}
          <span className="pw-sr">{words.run.head.quiet}</span>
          <span aria-hidden>{words.run.head.noOutputFor(quietSeconds)}</span>{" "}
          {words.run.head.quietAdvice}
        </p>
      )}
    </header>
  );
}

/** The executor of the steps: a model, with the run options from its profile, or a command from the settings. */
function Executor({ effort, added }: { effort: EffortView; added: number }) {
  if (effort.hand_over && !effort.model) {
    return (
      <p className={styles.carrier}>
        {words.run.head.stepsWithoutCalls} <b>{effort.hand_over}</b>
      </p>
    );
  }
  const strategy = strategyWords(effort.strategy);
  const facts = [
    ...(effort.hand_over ? [words.run.head.stepsWithoutCallsGoTo(effort.hand_over)] : []),
    effort.strategy === "iterative"
      ? words.run.head.lookAhead(strategy, effort.look_ahead)
      : strategy,
    ...effort.profile,
  ];
  return (
    <p className={styles.carrier}>
      <button type="button" className={styles.link} onClick={openModels}>
        {effort.model}
        <span className="pw-sr">{words.run.head.openModelProfile}</span>
      </button>{" "}
      · {facts.join(" · ")}
      {added > 0 && ` · ${words.run.head.addedByRun(added)}`}
    </p>
  );
}
