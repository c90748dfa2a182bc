/** One field of a plan while a person types in it. It is written on Enter, on blur, or after a pause, and kept as a
 *  draft until then. Typed text is never overwritten: if the same field changes on disk, both texts are offered. A
 *  failure leaves the text in the field. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ConflictChoice, Edit } from "../../api/bindings";
import { isInternal } from "../../api/client";
import { useDraft } from "../../api/drafts";
import { reportFault } from "../../api/fault";
import { settleConflicts, writeField } from "../../api/fieldEdit";
import { showToast } from "../../lib/toast";
import { words } from "../../words";

const { trouble } = words.task;

/** Pause in typing after which a field is written, in milliseconds. */
export const pauseMs = 800;
/** How long a written text is shown until the file has been read again, in milliseconds. */
const readBackMs = 1500;

export interface FieldSpec {
  plan: string;
  /** The draft's key: `task/T2/title`. */
  draftKey: string;
  /** The field's text in `revision`. */
  value: string;
  revision: string;
  /** The edit that writes `text`. */
  toEdit: (text: string) => Edit;
  /** Normalizes a text for comparison; trims by default. */
  normal?: (text: string) => string;
}

/** Someone else's text for the same field, and its revision. */
export interface Clash {
  theirs: string;
  revision: string;
}

export interface Field {
  text: string;
  set: (text: string) => void;
  /** Writes the typed text, if any. */
  write: () => void;
  /** Sets and writes the text at once, for choices. */
  choose: (text: string) => void;
  /** Discards the typed text. */
  discard: () => void;
  /** Whether the text differs from the plan. */
  isDirty: boolean;
  /** Whether it was typed before this window opened. */
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
  // The text and revision of the field when typing began.
  const [base, setBase] = useState<At | null>(null);
  // The text that was written but not read back yet.
  const [written, setWritten] = useState<At | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const draft = useDraft(plan, draftKey, value, base?.revision ?? revision);

  const typed = useRef<string | null>(null);
  const timer = useRef(0);
  const busy = useRef(false);
  const mounted = useRef(true);

  const shown = written && !draft.isDraft ? written.value : draft.text;
  const same = (one: string, other: string) => normal(one) === normal(other);

  const done = () => {
    typed.current = null;
    window.clearTimeout(timer.current);
    draft.drop();
    setBase(null);
    setClash(null);
    setError(null);
  };

  /** Also resolves the plan's conflicts about this field. */
  const settle = (choice: ConflictChoice, text: string) =>
    void settleConflicts(plan, choice, { of: "field", edit: spec.toEdit(text) });

  /** Writes the text; resolves to whether it is in the plan now. */
  const send = async (text: string, on: string): Promise<boolean> => {
    busy.current = true;
    setWriting(true);
    setError(null);
    try {
      const outcome = await writeField(plan, on, spec.toEdit(text));
      busy.current = false;
      const hasMore = typed.current !== null && typed.current !== text;
      if (outcome.outcome === "conflict") {
        setClash({ theirs: outcome.theirs, revision: outcome.revision });
        if (!mounted.current) showUnsaved(trouble.fieldChanged);
        return false;
      }
      if (outcome.outcome === "written") setWritten({ value: text, revision: outcome.revision });
      if (hasMore) {
        setBase({ value: text, revision: outcome.revision });
        timer.current = window.setTimeout(() => now.current.write(), pauseMs);
      } else {
        done();
      }
      return true;
    } catch (cause) {
      busy.current = false;
      const message = cause instanceof Error ? cause.message : String(cause);
      setError(message);
      if (isInternal(cause)) reportFault(cause, trouble.saving);
      else if (!mounted.current) showUnsaved(message);
      return false;
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
    // A restored draft names the revision it was typed on.
    void send(text, base?.revision ?? draft.revision ?? revision);
  };

  const set = (text: string) => {
    typed.current = text;
    if (!base && !draft.isDraft) setBase(written ?? { value, revision });
    setError(null);
    draft.set(text);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => now.current.write(), pauseMs);
  };

  // Timers and the unmount effect use the latest state.
  const now = useRef({ write });
  useLayoutEffect(() => {
    now.current = { write };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the file or the written text changes
  useEffect(() => {
    if (written) {
      if (written.revision !== revision && !same(value, written.value)) return;
      setWritten(null);
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
  }, [value, revision, written]);

  useEffect(() => {
    if (!written) return;
    const waiting = window.setTimeout(() => setWritten(null), readBackMs);
    return () => window.clearTimeout(waiting);
  }, [written]);

  // Writes the field when the row closes.
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
    discard: done,
    isDirty: draft.isDraft,
    isRestored: draft.isDraft && typed.current === null,
    isWriting,
    error,
    clash,
    keepMine: () => {
      if (!clash) return;
      setClash(null);
      setBase({ value: clash.theirs, revision: clash.revision });
      const text = typed.current ?? draft.text;
      void send(text, clash.revision).then((isWritten) => {
        if (isWritten) settle("mine", text);
      });
    },
    takeTheirs: () => {
      if (clash) settle("theirs", clash.theirs);
      done();
    },
  };
}

/** Reports an edit that failed after its field was unmounted. The text is kept as a draft. */
function showUnsaved(reason: string): void {
  showToast({ tone: "bad", title: trouble.leftTitle, message: trouble.left(reason) });
}
