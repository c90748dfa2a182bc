/** The probe: six short questions that show what the model can be trusted with, and what it did in earnest since. */
import { Button } from "@mantine/core";
import type { ModelInForce, ProbeView } from "../../../api/bindings";
import { useCancelModelJob, useForgetModel, useModelJob, useProbeModel } from "../../../api/models";
import styles from "./Models.module.css";

/** Questions of a probe, as long as none is answered. */
const inAll = 6;

export function Probe({ model }: { model: ModelInForce }) {
  const job = useModelJob().data;
  const { mutate: probe, isPending } = useProbeModel();
  const { mutate: cancel } = useCancelModelJob();
  const { mutate: forget, isPending: isForgetting } = useForgetModel();
  const isUnderWay = job?.kind === "probe";
  const shown = isUnderWay ? job.probe : model.probe;
  const { counters } = model;
  return (
    <div className={styles.part} role="group" aria-label="What was found out">
      <div className={styles.partHead}>
        <h3 className={styles.subheading}>What was found out</h3>
        {isUnderWay ? (
          <Button size="compact-xs" variant="subtle" onClick={() => cancel()}>
            Stop the probe
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            loading={isPending}
            disabled={job?.kind === "trial"}
            onClick={() => probe()}
          >
            {model.probe ? "Probe again" : "Probe it"}
          </Button>
        )}
      </div>
      {isUnderWay && (
        <div className={styles.progress}>
          <progress
            className={styles.bar}
            value={shown?.done ?? 0}
            max={shown?.of ?? inAll}
            aria-label={`Probing ${job.model}`}
          />
          <span className={styles.dim} role="status">
            {shown?.done ?? 0} of {shown?.of ?? inAll} questions
          </span>
        </div>
      )}
      {!isUnderWay && !model.probe && (
        <p className={styles.dim}>
          Not probed yet: six short requests show whether it calls tools, keeps to JSON and how fast
          it is. Until then its name has to do.
        </p>
      )}
      {shown && shown.lines.length > 0 && (
        <ul className={styles.found} aria-label="What the probe showed">
          {shown.lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {!isUnderWay && model.probe && <p className={styles.dim}>{ended(model.probe)}</p>}
      {counters.faults.length > 0 && (
        <p className={styles.dim}>
          In use: of the latest {counters.answers} answers in which a form was asked for,{" "}
          {counters.faults.length} had a fault ({[...new Set(counters.faults)].join("; ")}).
        </p>
      )}
      {counters.is_lowered && (
        <p className={styles.dim}>
          Because of repeated faults it is trusted less than{" "}
          {model.probe ? "the probe" : "its name"} said.
        </p>
      )}
      {(model.probe || counters.faults.length > 0 || counters.is_lowered) && !isUnderWay && (
        <div className={styles.buttons}>
          <Button
            size="compact-xs"
            variant="subtle"
            ml={-8}
            loading={isForgetting}
            onClick={() => forget()}
          >
            Forget what was found
          </Button>
        </div>
      )}
    </div>
  );
}

function ended(probe: ProbeView): string {
  const when = probe.at_ms === null ? "" : ` on ${new Date(probe.at_ms).toLocaleString()}`;
  const how = `${probe.done} of ${probe.of} questions answered${when}.`;
  return probe.ended ? `${how} It ended early: ${probe.ended}.` : how;
}
