/** The receipt of a run: the work done, the approval, the sandbox and the evidence. Can be copied as Markdown. */
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconArrowFork, IconCopy } from "@tabler/icons-react";
import type { ReceiptView, RunStep, StepModel } from "../../api/bindings";
import { useReceipt } from "../../api/queries";
import { Chip, type Tone } from "../../components/Chip";
import { Dialog } from "../../components/Dialog";
import { Exact } from "../../components/Exact";
import { outputText } from "../../components/exactText";
import { Inline } from "../../components/Inline";
import { ErrorState, Loading } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { duration, when } from "../../lib/time";
import { words } from "../../words";
import { copyText } from "../run/clipboard";
import { policyLabel, recoveredLabel, runStateLabel, stepStateLabel } from "../run/labels";
import { Report } from "../run/ModelWork";
import { receiptOf } from "./open";
import styles from "./Receipt.module.css";

export function ReceiptDialog({ run }: { run: string }) {
  const receipt = useReceipt(run);
  const close = () => receiptOf.set(null);
  const view = receipt.data;
  return (
    <Dialog
      onClose={close}
      title={words.receipt.title}
      size={760}
      actions={
        <>
          {view && (
            <Button
              variant="default"
              leftSection={<IconCopy size={15} />}
              onClick={() => void copyText(view.markdown, words.receipt.copied)}
            >
              {words.receipt.copy}
            </Button>
          )}
          <Button variant="default" data-autofocus onClick={close}>
            {words.receipt.close}
          </Button>
        </>
      }
    >
      {receipt.isError ? (
        <ErrorState
          title={words.receipt.errorTitle}
          error={receipt.error}
          onRetry={() => void receipt.refetch()}
        />
      ) : view ? (
        <Receipt view={view} />
      ) : (
        <Loading label={words.receipt.loading} />
      )}
    </Dialog>
  );
}

function Receipt({ view }: { view: ReceiptView }) {
  const labels = words.receipt.facts;
  const facts: [string, string][] = [
    [labels.state, runStateLabel(view.state)],
    [labels.revision, shortRevision(view.revision)],
    [labels.approval, policyLabel(view.policy).title],
    [labels.sandbox, view.sandbox],
    [labels.parallel, view.parallel > 1 ? labels.upTo(view.parallel) : "1"],
    [labels.started, when(view.started_at_ms)],
    [labels.ended, when(view.ended_at_ms)],
    [labels.activeTime, duration(view.work_ms)],
  ];
  if (view.turns > 0) {
    facts.push(
      [labels.turns, view.turns.toLocaleString("en")],
      [labels.tokens, labels.tokensInOut(view.tokens_in, view.tokens_out)],
    );
  }
  return (
    <div className={styles.receipt}>
      <p className={styles.title} dir="auto">
        {view.title}
      </p>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {view.notes.length > 0 && (
        <ul className={styles.notes} aria-label={words.receipt.notes}>
          {view.notes.map((note) => (
            <li key={note} dir="auto">
              {note}
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.caption}>{words.receipt.steps(view.steps.length)}</h3>
      <ol className="pw-list pw-column pw-gap-8">
        {view.steps.map((step) => (
          <Step key={step.task} step={step} runStart={view.started_at_ms} />
        ))}
      </ol>
    </div>
  );
}

function ModelWork({ model }: { model: StepModel }) {
  const { report, recoveries } = model;
  return (
    <>
      <p className="pw-hint pw-isolate">
        {words.run.model.turns(model.turns)} ·{" "}
        {words.run.model.tokens(model.tokens_in, model.tokens_out)}
      </p>
      {report && <Report report={report} />}
      {recoveries.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a receipt's order never changes
        <p key={at} className={styles.note} dir="auto">
          <IconArrowFork size={13} aria-hidden /> {recoveredLabel(one.strategy)}
          {words.receipt.step.chosenBy[one.by]}: {one.reason}
        </p>
      ))}
    </>
  );
}

const tones: Record<string, Tone> = {
  done: "good",
  failed: "bad",
  refused: "bad",
  unverified: "warn",
};

/** The steps that ran in parallel with a step, and when, counted from the start of the run. */
function parallelSteps(step: RunStep, runStart: number): string | null {
  if (step.beside.length === 0 || step.started_at_ms === null) return null;
  const from = duration(step.started_at_ms - runStart);
  const to =
    step.ended_at_ms === null ? words.receipt.step.now : duration(step.ended_at_ms - runStart);
  return words.receipt.step.inParallel(step.beside.join(", "), from, to);
}

function Step({ step, runStart }: { step: RunStep; runStart: number }) {
  const parallel = parallelSteps(step, runStart);
  const evidence = step.actions.filter(
    ({ kind, output }) => kind === "check" || kind === "signature" || (kind === "call" && output),
  );
  return (
    <li className={styles.step}>
      <div className="pw-line pw-gap-8">
        <span className={styles.id}>{step.task}</span>
        <span className="pw-fill pw-bold pw-isolate" dir="auto">
          <Inline>{step.title}</Inline>
        </span>
        <Chip tone={tones[step.state] ?? "plain"}>{stepStateLabel(step.state)}</Chip>
      </div>
      {step.attempts > 0 && (
        <p className="pw-hint pw-isolate">
          {words.run.steps.activeTime(duration(step.work_ms))} ·{" "}
          {words.receipt.step.attempts(step.attempts)} ·{" "}
          {words.run.steps.filesChanged(step.changes.length)}
        </p>
      )}
      {parallel && <p className="pw-hint pw-isolate">{parallel}</p>}
      {step.reason && (
        <p className={styles.reason} dir="auto">
          <Inline>{step.reason}</Inline>
        </p>
      )}
      {step.handed_to && (
        <p className="pw-hint pw-isolate" dir="auto">
          {words.run.step.handedOffTo} <b>{step.handed_to.name}</b>:{" "}
          <Exact>{step.handed_to.line}</Exact>
        </p>
      )}
      {step.model && <ModelWork model={step.model} />}
      {step.notes.map((note) => (
        <p key={note} className={styles.note} dir="auto">
          <IconAlertTriangle size={13} aria-hidden /> {note}
        </p>
      ))}
      {step.changes.length > 0 && (
        <p className={styles.paths}>
          {step.changes.map((path) => (
            <Exact key={path}>{path}</Exact>
          ))}
        </p>
      )}
      {evidence.length > 0 && (
        <details className={styles.more}>
          <summary>{words.receipt.step.evidence(step.task)}</summary>
          <ul className={styles.evidence}>
            {evidence.map((action, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a receipt's order never changes
              <li key={at}>
                <p>
                  <Exact>{action.title}</Exact>
                </p>
                <p className="pw-hint pw-isolate">
                  {[
                    action.summary,
                    action.exit_code === null || action.summary.includes("exit")
                      ? ""
                      : words.receipt.step.exit(action.exit_code),
                    duration(action.elapsed_ms),
                    action.flaky ? words.run.actions.flaky : "",
                    action.recovered ? words.run.actions.recovered : "",
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
                {action.output.trim() && (
                  <Exact block lines={10} label={words.run.actions.outputLabel(action.title)}>
                    {outputText(action.output).trimEnd()}
                  </Exact>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
