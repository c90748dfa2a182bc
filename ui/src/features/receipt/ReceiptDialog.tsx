/** The receipt over the plan: what was done, by which approval, in which sandbox, with its evidence; and the whole of it as Markdown. */
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
import { copyText } from "../run/clipboard";
import { Report } from "../run/ModelWork";
import {
  count,
  duration,
  policyWords,
  runStateWords,
  shortRevision,
  stepStateWords,
  wentWords,
  when,
} from "../run/words";
import { receiptOf } from "./open";
import styles from "./Receipt.module.css";

export function ReceiptDialog({ run }: { run: string }) {
  const receipt = useReceipt(run);
  const close = () => receiptOf.set(null);
  const view = receipt.data;
  return (
    <Dialog
      onClose={close}
      title="Receipt"
      size={760}
      actions={
        <>
          {view && (
            <Button
              variant="default"
              leftSection={<IconCopy size={15} />}
              onClick={() => void copyText(view.markdown, "Receipt copied")}
            >
              Copy as Markdown
            </Button>
          )}
          <Button variant="default" data-autofocus onClick={close}>
            Close
          </Button>
        </>
      }
    >
      {receipt.isError ? (
        <ErrorState
          title="The receipt can’t be shown"
          error={receipt.error}
          onRetry={() => void receipt.refetch()}
        />
      ) : view ? (
        <Receipt view={view} />
      ) : (
        <Loading label="Loading the receipt" />
      )}
    </Dialog>
  );
}

function Receipt({ view }: { view: ReceiptView }) {
  const facts: [string, string][] = [
    ["State", runStateWords(view.state)],
    ["Approved revision", shortRevision(view.revision)],
    ["Approval", policyWords(view.policy).title],
    ["Sandbox", view.sandbox],
    ["Parallel steps", view.parallel > 1 ? `up to ${view.parallel}` : "1"],
    ["Started", when(view.started_at_ms)],
    ["Ended", when(view.ended_at_ms)],
    ["Active time", duration(view.work_ms)],
  ];
  if (view.turns > 0) {
    facts.push(
      ["Model turns", view.turns.toLocaleString("en")],
      [
        "Tokens",
        `${view.tokens_in.toLocaleString("en")} in, ${view.tokens_out.toLocaleString("en")} out`,
      ],
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
        <ul className={styles.notes} aria-label="Notes">
          {view.notes.map((note) => (
            <li key={note} dir="auto">
              {note}
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.caption}>
        {view.steps.length === 1 ? "1 STEP" : `${view.steps.length} STEPS`}
      </h3>
      <ol className={styles.steps}>
        {view.steps.map((step) => (
          <Step key={step.task} step={step} began={view.started_at_ms} />
        ))}
      </ol>
    </div>
  );
}

function OfModel({ model }: { model: StepModel }) {
  const { report, recoveries } = model;
  return (
    <>
      <p className={styles.dim}>
        {count(model.turns, "model turn")} · {model.tokens_in.toLocaleString("en")} tokens in,{" "}
        {model.tokens_out.toLocaleString("en")} out
      </p>
      {report && <Report report={report} />}
      {recoveries.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes its order
        <p key={at} className={styles.note} dir="auto">
          <IconArrowFork size={13} aria-hidden /> {wentWords(one.strategy)}
          {by[one.by]}: {one.reason}
        </p>
      ))}
    </>
  );
}

const by: Record<string, string> = {
  code: ", by a rule",
  model: ", the model's choice",
  person: ", your choice",
};

const tones: Record<string, Tone> = {
  done: "good",
  failed: "bad",
  refused: "bad",
  unverified: "warn",
};

/** When a step was under way that was not alone, counted from the beginning of the run. */
function besideWords(step: RunStep, began: number): string | null {
  if (step.beside.length === 0 || step.started_at_ms === null) return null;
  const from = duration(step.started_at_ms - began);
  const to = step.ended_at_ms === null ? "now" : duration(step.ended_at_ms - began);
  return `Beside ${step.beside.join(", ")}, from ${from} to ${to} of the run`;
}

function Step({ step, began }: { step: RunStep; began: number }) {
  const beside = besideWords(step, began);
  const evidence = step.actions.filter(
    ({ kind, output }) => kind === "check" || kind === "signature" || (kind === "call" && output),
  );
  return (
    <li className={styles.step}>
      <div className={styles.head}>
        <span className={styles.id}>{step.task}</span>
        <span className={styles.name} dir="auto">
          <Inline>{step.title}</Inline>
        </span>
        <Chip tone={tones[step.state] ?? "plain"}>{stepStateWords(step.state)}</Chip>
      </div>
      {step.attempts > 0 && (
        <p className={styles.dim}>
          {duration(step.work_ms)} active · {count(step.attempts, "attempt")} ·{" "}
          {count(step.changes.length, "file")} changed
        </p>
      )}
      {beside && <p className={styles.dim}>{beside}</p>}
      {step.reason && (
        <p className={styles.reason} dir="auto">
          <Inline>{step.reason}</Inline>
        </p>
      )}
      {step.handed_to && (
        <p className={styles.dim} dir="auto">
          Handed over to <b>{step.handed_to.name}</b>: <Exact>{step.handed_to.line}</Exact>
        </p>
      )}
      {step.model && <OfModel model={step.model} />}
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
          <summary>Evidence for {step.task}</summary>
          <ul className={styles.evidence}>
            {evidence.map((action, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes its order
              <li key={at}>
                <p>
                  <Exact>{action.title}</Exact>
                </p>
                <p className={styles.dim}>
                  {[
                    action.summary,
                    action.exit_code === null || action.summary.includes("exit")
                      ? ""
                      : `exit ${action.exit_code}`,
                    duration(action.elapsed_ms),
                    action.flaky ? "flaky: failed before" : "",
                    action.recovered ? "found after a crash" : "",
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </p>
                {action.output.trim() && (
                  <Exact block lines={10} label={`Output of ${action.title}`}>
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
