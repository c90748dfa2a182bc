/** What the model is saying: the words as they come, what it thinks folded away, and what it does right now. */
import { IconBrain, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { TalkView } from "../../api/bindings";
import { useTalkLive } from "../../api/talk";
import { duration } from "../run/words";
import calls from "./Calls.module.css";
import styles from "./Talk.module.css";
import { workWords } from "./words";

interface LiveReplyProps {
  talk: TalkView;
  /** Called when there is more to see. */
  onGrown: () => void;
}

export function LiveReply({ talk, onGrown }: LiveReplyProps) {
  const live = useTalkLive(talk.session).data;
  const text = useUntilStored(live?.text ?? "", talk.rows);
  const thinking = live?.thinking ?? "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is more to see when the words change
  useLayoutEffect(onGrown, [text, thinking, onGrown]);
  return (
    <section className={styles.live} aria-label="The model answers" aria-busy>
      {thinking && <Thinking text={thinking} />}
      {text && (
        <div className={styles.answer}>
          <p className={styles.streamed} dir="auto">
            {text}
          </p>
        </div>
      )}
      <Working talk={talk} />
    </section>
  );
}

/** Words that are stored stay until their row is there, so that nothing jumps. */
function useUntilStored(text: string, rows: number): string {
  const kept = useRef({ text: "", rows });
  if (text) kept.current = { text, rows };
  return text || (kept.current.rows === rows ? kept.current.text : "");
}

function Thinking({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.thinking}>
      <button
        type="button"
        className={calls.callHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={calls.callIcon} aria-hidden>
          <IconBrain size={14} />
        </span>
        <span className={calls.callTitle}>Thinking</span>
        <IconChevronRight size={13} className={calls.chevron} aria-hidden />
      </button>
      {isOpen && (
        <p id={id} className={styles.thought} dir="auto">
          {text}
        </p>
      )}
    </div>
  );
}

function Working({ talk }: { talk: TalkView }) {
  const elapsed = useElapsed(talk.work?.elapsed_ms ?? 0);
  return (
    <p className={styles.working}>
      <span className={styles.pulse} aria-hidden />
      <span role="status">{workWords(talk.work)}</span>
      <span className={styles.time} aria-hidden>
        {duration(elapsed)}
      </span>
    </p>
  );
}

/** Time that passes between two answers of the backend. */
function useElapsed(told: number): number {
  const at = useRef({ told, since: performance.now() });
  if (at.current.told !== told) at.current = { told, since: performance.now() };
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => tick((count) => count + 1), 500);
    return () => window.clearInterval(timer);
  }, []);
  return told + performance.now() - at.current.since;
}
