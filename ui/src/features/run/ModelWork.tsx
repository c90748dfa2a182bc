/** A model at work on a step: what it says and thinks as it comes, what it reported, and what that took. */
import type { ModelNow, StepModel, StepReport } from "../../api/bindings";
import { Chip } from "../../components/Chip";
import styles from "./ModelWork.module.css";
import panel from "./RunPanel.module.css";
import { count, duration } from "./words";

const number = new Intl.NumberFormat("en");

export function ModelWork({ model, isRunning }: { model: StepModel; isRunning: boolean }) {
  return (
    <>
      {model.turns > 0 && (
        <p className={panel.facts}>
          {count(model.turns, "reply").replace("replys", "replies")} ·{" "}
          {number.format(model.tokens_in)} tokens in
          {model.tokens_cached > 0 && ` (${number.format(model.tokens_cached)} cached)`},{" "}
          {number.format(model.tokens_out)} out · {duration(model.elapsed_ms)} waited for
        </p>
      )}
      {isRunning && model.now && <Saying now={model.now} />}
      {model.report && <Report report={model.report} />}
    </>
  );
}

function Saying({ now }: { now: ModelNow }) {
  const isSilent = !now.text && !now.thinking;
  const { words, isCalling } = split(now.text);
  return (
    <section className={styles.saying} aria-label="The model answers" aria-busy>
      <p className={styles.request}>
        <span className={styles.pulse} aria-hidden />
        Request {now.number}
        {now.attempt > 1 && `, attempt ${now.attempt}`}
        {isSilent && " · waits for its first word"}
      </p>
      {now.thinking && (
        <p className={styles.thinking} dir="auto">
          <span className="pw-sr">Thinking: </span>
          {newest(now.thinking, 600)}
        </p>
      )}
      {words && (
        <p className={styles.words} dir="auto">
          {newest(words, 2000)}
        </p>
      )}
      {isCalling && <p className={styles.thinking}>… and writes down a call</p>}
    </section>
  );
}

/** What is said to people, and whether a call written as text has begun behind it. */
function split(text: string): { words: string; isCalling: boolean } {
  const at = text.search(/```|<tool_call|\{\s*"/);
  return at < 0
    ? { words: text, isCalling: false }
    : { words: text.slice(0, at).trimEnd(), isCalling: true };
}

/** The end of what was said: that is where it goes on. */
function newest(text: string, most: number): string {
  const end = text.trimStart();
  return end.length > most ? `… ${end.slice(-most)}` : end;
}

export function Report({ report }: { report: StepReport }) {
  return (
    <section className={styles.report} aria-label="What the model reports">
      <p className={styles.head}>
        <span>{report.is_inferred ? "Record" : "The model reports"}</span>
        {report.is_inferred ? (
          <Chip tone="warn" title="The model gave no report; this was made from what it did">
            inferred
          </Chip>
        ) : (
          <Chip tone={report.done ? "plain" : "warn"}>{report.done ? "done" : "not done"}</Chip>
        )}
      </p>
      <p dir="auto">{report.summary || "It says nothing more."}</p>
      <Lines title="Learned" lines={report.learned} />
      <Lines title="Decided" lines={report.decided} />
      {report.next_hint && <Lines title="Would do next" lines={[report.next_hint]} />}
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <p className={styles.title}>{title}</p>
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
