/** The line for new steps. Enter adds one and starts the next below it; Enter in an empty line, or Escape, closes it. A pasted Markdown list becomes steps. The text is kept as a draft. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  type ClipboardEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { TaskPlace } from "../../api/bindings";
import { putDraft } from "../../api/draftList";
import { type DraftField, useDraft } from "../../api/drafts";
import { words } from "../../words";
import styles from "./AddTask.module.css";
import { readList } from "./pastedSteps";
import { type AddedSteps, useAddSteps } from "./useAddSteps";

interface AddTaskProps {
  plan: string;
  revision: string;
  /** Part of the draft's key: restores the line at the same place. */
  placeKey: string;
  /** The place of the new step, resolved when it is added. */
  placeOf: () => Promise<TaskPlace>;
  /** The place, for labels: "after T2". */
  where: string;
  /** Whether it takes focus when it appears. */
  takesFocus?: boolean;
  /** The `placeKey` of the next line, once the last added step is on screen. */
  next?: string | null;
  /** Moves the line to `next`. */
  onNext?: (hasFocus: boolean) => void;
  onAdded: (task: string | null, addsAnother: boolean) => void;
  onPasted: (steps: number, leftOut: number, revision: string) => void;
  onClose: () => void;
}

const t = words.outline.addTask;
const keyOf = (placeKey: string) => `add/${placeKey}`;

export function AddTask(props: AddTaskProps) {
  const { plan, revision, placeKey, where, takesFocus = true, next = null } = props;
  const cache = useQueryClient();
  const draft = useDraft(plan, keyOf(placeKey), "", revision);
  const [kind, setKind] = useState("task");
  const [error, setError] = useState<string | null>(null);
  const { isBusy, add, addList } = useAddSteps(plan, revision, props.placeOf);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef({ draft, props });
  latest.current = { draft, props };
  /** The field's text at the last Enter, because another Enter may be pressed before the field is cleared. */
  const sent = useRef<DraftField | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useLayoutEffect(() => {
    if (!takesFocus) return;
    const end = input.current?.value.length ?? 0;
    input.current?.focus();
    input.current?.setSelectionRange(end, end);
  }, []);

  // Keeps the line in view when added steps push it down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the plan changes
  useEffect(() => {
    if (document.activeElement === input.current)
      input.current?.scrollIntoView({ block: "nearest" });
  }, [revision]);

  // Moves text typed since the last Enter to the next line.
  useLayoutEffect(() => {
    if (!next || isBusy) return;
    const { draft: field, props: now } = latest.current;
    const text = field.text;
    if (field.isDraft) field.drop();
    if (text) putDraft(cache, plan, keyOf(next), text, now.revision).catch(() => undefined);
    now.onNext?.(document.activeElement === input.current);
  }, [cache, plan, next, isBusy]);

  /** @param text the text to restore if adding fails */
  const whenAdded = (added: Promise<AddedSteps>, text: string, then: (at: AddedSteps) => void) => {
    setError(null);
    added.then(then).catch((cause: Error) => {
      const { draft: now } = latest.current;
      if (text) now.set(now.text ? `${text} ${now.text}` : text);
      setError(cause.message);
    });
  };

  const cancel = () => {
    if (draft.isDraft) draft.drop();
    props.onClose();
  };

  const submit = (addsAnother: boolean) => {
    const title = draft.text.trim();
    if (sent.current === draft) return;
    if (!title) {
      if (addsAnother) cancel();
      else setError(t.emptyError);
      return;
    }
    sent.current = draft;
    draft.drop();
    setKind("task");
    whenAdded(add(title, kind), title, ({ task }) =>
      latest.current.props.onAdded(task, addsAnother),
    );
  };

  const onPaste = (event: ClipboardEvent) => {
    const list = readList(event.clipboardData.getData("text/plain"));
    const [first] = list?.steps ?? [];
    if (!list || !first) return;
    if (list.steps.length === 1) {
      if (draft.text !== "") return;
      event.preventDefault();
      draft.set(first.title);
      return;
    }
    event.preventDefault();
    whenAdded(addList(list), "", ({ task, revision: made }) => {
      const { props: now } = latest.current;
      now.onAdded(task, true);
      now.onPasted(list.steps.length, list.leftOut, made);
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === "Enter" && event.target === input.current) {
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) submit(true);
    }
  };

  return (
    <div className={styles.add} role="group" aria-label={t.label(where)} onKeyDown={onKeyDown}>
      <TextInput
        ref={input}
        size="xs"
        className={styles.title}
        aria-label={t.title(where)}
        placeholder={t.label(where)}
        title={t.hint}
        dir="auto"
        value={draft.text}
        error={error}
        onChange={(event) => {
          setError(null);
          draft.set(event.currentTarget.value);
        }}
        onPaste={onPaste}
      />
      <NativeSelect
        size="xs"
        aria-label={t.kind}
        value={kind}
        data={[
          { value: "task", label: t.task },
          { value: "checkpoint", label: t.checkpoint },
          { value: "decision", label: t.decision },
        ]}
        onChange={(event) => setKind(event.currentTarget.value)}
      />
      <Button size="xs" loading={isBusy} onClick={() => submit(false)}>
        {t.add}
      </Button>
      <Button size="xs" variant="default" onClick={cancel}>
        {t.cancel}
      </Button>
    </div>
  );
}
