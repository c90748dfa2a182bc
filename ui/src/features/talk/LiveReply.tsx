/** The reply that is streaming in: its text, its thinking (collapsed), and what the model is doing. */
import { IconBrain, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { TalkView } from "../../api/bindings";
import { useTalkLive } from "../../api/talk";
import { duration } from "../../lib/time";
import { words } from "../../words";
import calls from "./Calls.module.css";
import { workText } from "./stateText";
import styles from "./Talk.module.css";

const w = words.talk.reply;

interface LiveReplyProps {
  talk: TalkView;
  /** Called when the reply has grown. */
  onGrown: () => void;
}

export function LiveReply({ talk, onGrown }: LiveReplyProps) {
  const live = useTalkLive(talk.session).data;
  const text = useUntilStored(live?.text ?? "", talk.rows);
  const thinking = live?.thinking ?? "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: the reply has grown when its text or thinking changes
  useLayoutEffect(onGrown, [text, thinking, onGrown]);
  return (
    <section className={styles.live} aria-label={w.label} aria-busy>
      {thinking && <Thinking text={thinking} />}
      {text && (
        <div className={styles.answer}>
          <p className="pw-exact" dir="auto">
            {text}
          </p>
        </div>
      )}
      <Working talk={talk} />
    </section>
  );
}

/** Keeps finished text on screen until its row is loaded, so that nothing jumps. */
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
        <span className={calls.callTitle}>{w.thinking}</span>
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
    <p className="pw-row pw-hint pw-gap-8">
      <span className={styles.pulse} aria-hidden />
      <span role="status">{workText(talk.work)}</span>
      <span className={styles.time} aria-hidden>
        {duration(elapsed)}
      </span>
    </p>
  );
}

/** The elapsed time, also updated between reports from the backend. */
function useElapsed(reported: number): number {
  const at = useRef({ reported, since: performance.now() });
  if (at.current.reported !== reported) at.current = { reported, since: performance.now() };
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => tick((count) => count + 1), 500);
    return () => window.clearInterval(timer);
  }, []);
  return reported + performance.now() - at.current.since;
}
