/** A model's work on a step: its reply and thinking as they arrive, its report, and its use of tokens and time. */
import type { ModelNow, StepModel, StepReport } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import { duration } from "../../lib/time";
import { words } from "../../words";
import styles from "./ModelWork.module.css";
import panel from "./RunPanel.module.css";

export function ModelWork({ model, isRunning }: { model: StepModel; isRunning: boolean }) {
  const { tokens_in: input, tokens_cached: cached, tokens_out: output } = model;
  return (
    <>
      {model.turns > 0 && (
        <p className="pw-hint">
          {words.run.model.turns(model.turns)} ·{" "}
          {cached > 0
            ? words.run.model.tokensWithCached(input, cached, output)
            : words.run.model.tokens(input, output)}{" "}
          · {words.run.model.waitingTime(duration(model.elapsed_ms))}
        </p>
      )}
      {isRunning && model.now && <LiveReply now={model.now} />}
      {model.report && <Report report={model.report} />}
    </>
  );
}

function LiveReply({ now }: { now: ModelNow }) {
  const isSilent = !now.text && !now.thinking;
  const { prose, isCalling } = splitReply(now.text);
  return (
    <section className={styles.saying} aria-label={words.run.model.replyLabel} aria-busy>
      <p className="pw-row pw-hint pw-gap-8">
        <span className={styles.pulse} aria-hidden />
        {words.run.model.request(now.number)}
        {now.attempt > 1 && words.run.model.attempt(now.attempt)}
        {isSilent && ` · ${words.run.model.waiting}`}
      </p>
      {now.thinking && (
        <p className={styles.thinking} dir="auto">
          <span className="pw-sr">{words.run.model.thinking} </span>
          {tail(now.thinking, 600)}
        </p>
      )}
      {prose && (
        <p className="pw-exact" dir="auto">
          {tail(prose, 2000)}
        </p>
      )}
      {isCalling && <p className={styles.thinking}>{words.run.model.writingCall}</p>}
    </section>
  );
}

/** The prose of a reply, and whether a tool call written as text has begun after it. */
function splitReply(text: string): { prose: string; isCalling: boolean } {
  const at = text.search(/```|<tool_call|\{\s*"/);
  return at < 0
    ? { prose: text, isCalling: false }
    : { prose: text.slice(0, at).trimEnd(), isCalling: true };
}

/** The last `max` characters, because a streamed text grows at its end. */
function tail(text: string, max: number): string {
  const trimmed = text.trimStart();
  return trimmed.length > max ? `… ${trimmed.slice(-max)}` : trimmed;
}

export function Report({ report }: { report: StepReport }) {
  return (
    <section className={styles.report} aria-label={words.run.model.report}>
      <p className="pw-row pw-between pw-gap-8 pw-bold">
        <span>{report.is_inferred ? words.run.model.record : words.run.model.report}</span>
        {report.is_inferred ? (
          <Chip tone="warn" title={words.run.model.inferredTooltip}>
            {words.run.model.inferred}
          </Chip>
        ) : (
          <Chip tone={report.done ? "plain" : "warn"}>
            {report.done ? words.run.model.done : words.run.model.notDone}
          </Chip>
        )}
      </p>
      <p dir="auto">{report.summary || words.run.model.noSummary}</p>
      <Lines title={words.run.model.learned} lines={report.learned} />
      <Lines title={words.run.model.decided} lines={report.decided} />
      {report.next_hint && <Lines title={words.run.model.nextStep} lines={[report.next_hint]} />}
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <p className="pw-caption">{title}</p>
      <ul className={panel.found}>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
