/** The probe: six short questions that measure the model's capabilities, and the errors it has made in use since. */
import { Button } from "@mantine/core";
import type { ModelInForce, ProbeView } from "../../../api/bindings";
import { useCancelModelJob, useForgetModel, useModelJob, useProbeModel } from "../../../api/models";
import { words } from "../../../words";
import styles from "./Models.module.css";

const text = words.settings.probe;

/** The number of questions assumed until progress is first reported. */
const questions = 6;

export function Probe({ model }: { model: ModelInForce }) {
  const job = useModelJob().data;
  const { mutate: probe, isPending } = useProbeModel();
  const { mutate: cancel } = useCancelModelJob();
  const { mutate: forget, isPending: isForgetting } = useForgetModel();
  const isRunning = job?.kind === "probe";
  const shown = isRunning ? job.probe : model.probe;
  const { counters } = model;
  return (
    <div className={styles.part} role="group" aria-label={text.title}>
      <div className="pw-row pw-between pw-gap-8">
        <h3 className={styles.subheading}>{text.title}</h3>
        {isRunning ? (
          <Button size="compact-xs" variant="subtle" onClick={() => cancel()}>
            {text.stop}
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={isPending}
            disabled={job?.kind === "trial"}
            onClick={() => probe()}
          >
            {model.probe ? text.again : text.start}
          </Button>
        )}
      </div>
      {isRunning && (
        <div className={styles.progress}>
          <progress
            className={styles.bar}
            value={shown?.done ?? 0}
            max={shown?.of ?? questions}
            aria-label={text.running(job.model)}
          />
          <span className={styles.dim} role="status">
            {text.progress(shown?.done ?? 0, shown?.of ?? questions)}
          </span>
        </div>
      )}
      {!isRunning && !model.probe && <p className={styles.dim}>{text.notYet}</p>}
      {shown && shown.lines.length > 0 && (
        <ul className={styles.found} aria-label={text.results}>
          {shown.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {!isRunning && model.probe && <p className={styles.dim}>{summary(model.probe)}</p>}
      {counters.faults.length > 0 && (
        <p className={styles.dim}>
          {text.faults(counters.faults.length, counters.answers, [...new Set(counters.faults)])}
        </p>
      )}
      {counters.is_lowered && (
        <p className={styles.dim}>{model.probe ? text.loweredBelowProbe : text.loweredBelowName}</p>
      )}
      {(model.probe || counters.faults.length > 0 || counters.is_lowered) && !isRunning && (
        <div className="pw-wrap pw-gap-8">
          <Button
            size="compact-xs"
            variant="subtle"
            ml={-8}
            loading={isForgetting}
            onClick={() => forget()}
          >
            {text.forget}
          </Button>
        </div>
      )}
    </div>
  );
}

function summary({ done, of, at_ms: at, ended }: ProbeView): string {
  const answered =
    at === null
      ? text.answered(done, of)
      : text.answeredOn(done, of, new Date(at).toLocaleString());
  return ended ? `${answered} ${text.endedEarly(ended)}` : answered;
}
