/** The head of a run: which step is at work, and which beside it, for how long, how far the run is, and whether it has gone quiet. */
import type { EffortView, RunView, StepModel, StepProgress } from "../../api/bindings";
import { useBeside, useProgress } from "../../api/queries";
import { strategyWords } from "../approve/Effort";
import { openModels } from "../settings/models/openModels";
import styles from "./RunPanel.module.css";
import { useClock } from "./useClock";
import { count, duration, runStateWords } from "./words";

/** From how long without a sign of life on a run is said to be quiet, in milliseconds. */
export const stallMs = 10_000;

const tokens = (model: StepModel) => model.tokens_in + model.tokens_out;

/** What the current step does, while the run goes on. */
export function useCurrent(view: RunView): StepProgress | null {
  const told = useProgress(view.run);
  return view.is_live || view.is_elsewhere ? (told ?? view.current) : null;
}

/** What the steps do that are under way beside the current one. */
function useOthers(view: RunView): StepProgress[] {
  const told = useBeside(view.run);
  return view.is_live || view.is_elsewhere ? (told ?? view.beside) : [];
}

interface RunHeadProps {
  view: RunView;
  /** What a model did for the step at work. */
  model: StepModel | null;
}

export function RunHead({ view, model }: RunHeadProps) {
  const current = useCurrent(view);
  const others = useOthers(view);
  const isAtWork = view.is_live && view.state === "running" && view.questions.length === 0;
  const clock = useClock(current, isAtWork);
  const share = view.total > 0 ? view.done / view.total : 0;
  const shown = current ? Math.max(share, current.step / Math.max(1, current.steps)) : share;
  const quietSeconds = Math.floor(clock.quietMs / 1000);
  return (
    <header>
      <div className={styles.head}>
        <h2 className={styles.step}>
          {current
            ? `Step ${current.step}/${current.is_open_ended ? "~" : ""}${current.steps} · ${current.task}`
            : `${view.done}/${view.total} steps · ${runStateWords(view.state)}`}
        </h2>
        <span className={styles.time}>
          {current ? duration(clock.elapsedMs) : `${duration(view.work_ms)} active`}
          {current && model && model.turns > 0 && ` · ${count(tokens(model), "token")}`}
        </span>
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Progress of the run"
        aria-valuemin={0}
        aria-valuemax={view.total}
        aria-valuenow={view.done}
        aria-valuetext={`${view.done} of ${count(view.total, "step")} ended`}
      >
        <div
          className={styles.fill}
          data-live={view.is_live || undefined}
          data-moves={isAtWork || undefined}
          data-state={view.state}
          style={{ width: `${Math.round(shown * 100)}%` }}
        />
      </div>
      {view.effort && <Carrier effort={view.effort} added={view.added} />}
      {current?.current_action && <p className={styles.doing}>{current.current_action}</p>}
      {others.length > 0 && (
        <ul className={styles.others} aria-label="Steps under way beside it">
          {others.map((other) => (
            <li key={other.task}>
              <b>{other.task}</b> {duration(other.elapsed_ms)}
              {other.current_action && ` · ${other.current_action}`}
            </li>
          ))}
        </ul>
      )}
      {isAtWork && clock.quietMs >= stallMs && (
        <p className={styles.stall} role="status">
          {/* The seconds are not part of what is announced: it would be said again each second. */}
          <span className="pw-sr">The step is quiet.</span>
          <span aria-hidden>No output for {quietSeconds} s.</span> It may still be working; Pause
          stops after this step, Cancel stops now.
        </p>
      )}
    </header>
  );
}

/** Who carries the steps out: a model, with what its profile makes of the run, or a command of the settings. */
function Carrier({ effort, added }: { effort: EffortView; added: number }) {
  if (effort.hand_over && !effort.model) {
    return (
      <p className={styles.carrier}>
        Steps without calls go to <b>{effort.hand_over}</b>
      </p>
    );
  }
  const plans = `${strategyWords(effort.strategy)}${effort.strategy === "iterative" ? `, ${effort.look_ahead} ahead` : ""}`;
  const facts = [
    ...(effort.hand_over ? [`steps without calls go to ${effort.hand_over}`] : []),
    plans,
    ...effort.profile,
  ];
  return (
    <p className={styles.carrier}>
      <button type="button" className={styles.link} onClick={openModels}>
        {effort.model}
        <span className="pw-sr">: its profile in Settings</span>
      </button>{" "}
      · {facts.join(" · ")}
      {added > 0 && ` · ${count(added, "step")} added by this run`}
    </p>
  );
}
