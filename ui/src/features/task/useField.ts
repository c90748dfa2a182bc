/** One field of a plan while a person types in it.
 *  Written on Enter, on leaving, or after a pause; kept as a draft meanwhile. What is being typed is never overwritten:
 *  when the same field changes outside, both texts are offered. A failure leaves the text where it is. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Edit } from "../../api/bindings";
import { isInternal } from "../../api/client";
import { useDraft } from "../../api/drafts";
import { reportFault } from "../../api/fault";
import { writeField } from "../../api/fieldEdit";
import { showToast } from "../../lib/toast";

/** A pause in typing after which a field is written. */
export const pauseMs = 800;
/** How long a written text is shown before the file has been read again. */
const readBackMs = 1500;

export interface FieldSpec {
  plan: string;
  /** The draft's key: `task/T2/title`. */
  draftKey: string;
  /** What the field holds in `revision`. */
  value: string;
  revision: string;
  /** The change that writes `text`. */
  toEdit: (text: string) => Edit;
  /** The form in which two texts are compared; trimmed unless given. */
  normal?: (text: string) => string;
}

/** Somebody else's text for the same field, and the revision that it stands in. */
export interface Clash {
  theirs: string;
  revision: string;
}

export interface Field {
  text: string;
  set: (text: string) => void;
  /** Writes what was typed; nothing if nothing was. */
  write: () => void;
  /** `set` and `write` in one, for choices. */
  choose: (text: string) => void;
  /** Gives up what was typed. */
  giveUp: () => void;
  /** Text that is not in the plan. */
  isDirty: boolean;
  /** It was typed before this window was opened. */
  isRestored: boolean;
  isWriting: boolean;
  error: string | null;
  clash: Clash | null;
  keepMine: () => void;
  takeTheirs: () => void;
}

interface At {
  value: string;
  revision: string;
}

const trimmed = (text: string) => text.trim();

export function useField(spec: FieldSpec): Field {
  const { plan, draftKey, value, revision } = spec;
  const normal = spec.normal ?? trimmed;
  // What stood there when typing began.
  const [base, setBase] = useState<At | null>(null);
  // What was written and is not yet read back.
  const [given, setGiven] = useState<At | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const draft = useDraft(plan, draftKey, value, base?.revision ?? revision);

  const typed = useRef<string | null>(null);
  const timer = useRef(0);
  const busy = useRef(false);
  const mounted = useRef(true);

  const shown = given && !draft.isDraft ? given.value : draft.text;
  const same = (one: string, other: string) => normal(one) === normal(other);

  const done = () => {
    typed.current = null;
    window.clearTimeout(timer.current);
    draft.drop();
    setBase(null);
    setClash(null);
    setError(null);
  };

  const send = async (text: string, on: string) => {
    busy.current = true;
    setWriting(true);
    setError(null);
    try {
      const outcome = await writeField(plan, on, spec.toEdit(text));
      busy.current = false;
      const hasMore = typed.current !== null && typed.current !== text;
      if (outcome.outcome === "conflict") {
        setClash({ theirs: outcome.theirs, revision: outcome.revision });
        if (!mounted.current) tellLeft("Somebody else changed the same field.");
        return;
      }
      if (outcome.outcome === "written") setGiven({ value: text, revision: outcome.revision });
      if (hasMore) {
        setBase({ value: text, revision: outcome.revision });
        timer.current = window.setTimeout(() => now.current.write(), pauseMs);
      } else {
        done();
      }
    } catch (cause) {
      busy.current = false;
      const message = cause instanceof Error ? cause.message : String(cause);
      setError(message);
      if (isInternal(cause)) reportFault(cause, "Writing a field");
      else if (!mounted.current) tellLeft(message);
    } finally {
      setWriting(false);
    }
  };

  const write = () => {
    window.clearTimeout(timer.current);
    if (busy.current || clash || !draft.isDraft) return;
    const text = typed.current ?? draft.text;
    if (base && same(text, base.value)) {
      done();
      return;
    }
    // A text from before this window was opened was typed on the revision that its draft names.
    void send(text, base?.revision ?? draft.revision ?? revision);
  };

  const set = (text: string) => {
    typed.current = text;
    if (!base && !draft.isDraft) setBase(given ?? { value, revision });
    setError(null);
    draft.set(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => now.current.write(), pauseMs);
  };

  // Timers and leaving read the newest state, not the one that they were started in.
  const now = useRef({ write });
  useLayoutEffect(() => {
    now.current = { write };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: judged when the file or the written text changes
  useEffect(() => {
    if (given) {
      if (given.revision !== revision && !same(value, given.value)) return;
      setGiven(null);
    }
    if (!draft.isDraft || !base) return;
    if (same(value, base.value)) {
      if (base.revision !== revision) setBase({ value: base.value, revision });
      if (clash) setClash(null);
    } else if (same(value, shown)) {
      done();
    } else {
      setClash({ theirs: value, revision });
    }
  }, [value, revision, given]);

  useEffect(() => {
    if (!given) return;
    const waiting = window.setTimeout(() => setGiven(null), readBackMs);
    return () => window.clearTimeout(waiting);
  }, [given]);

  // Leaving the row is leaving the field.
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      if (typed.current !== null) now.current.write();
    };
  }, []);

  return {
    text: shown,
    set,
    write,
    choose: useCallback(
      (text: string) => {
        typed.current = text;
        window.clearTimeout(timer.current);
        draft.set(text);
        setBase((before) => before ?? { value, revision });
        timer.current = window.setTimeout(() => now.current.write(), 0);
      },
      [draft, value, revision],
    ),
    giveUp: done,
    isDirty: draft.isDraft,
    isRestored: draft.isDraft && typed.current === null,
    isWriting,
    error,
    clash,
    keepMine: () => {
      if (!clash) return;
      setClash(null);
      setBase({ value: clash.theirs, revision: clash.revision });
      void send(typed.current ?? draft.text, clash.revision);
    },
    takeTheirs: done,
  };
}

/** The field is gone from the screen: what could not be written is kept as a draft, and said. */
function tellLeft(message: string): void {
  showToast({
    tone: "bad",
    title: "What you typed is not in the plan",
    message: `${message} It is kept: open the step again to see it.`,
  });
}
