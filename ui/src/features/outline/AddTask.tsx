/** The line for a new step. Enter adds it, Shift+Enter adds it and starts another, Escape cancels. The text is kept as a draft. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { TaskPlace } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { writeField } from "../../api/fieldEdit";
import { words } from "../../words";
import styles from "./AddTask.module.css";

interface AddTaskProps {
  plan: string;
  revision: string;
  /** Part of the draft's key: restores the line at the same place. */
  placeKey: string;
  /** Resolved when the step is added. */
  placeOf: () => Promise<TaskPlace>;
  /** For the labels: "after T2". */
  where: string;
  onAdded: (task: string | null, revision: string, addsAnother: boolean) => void;
  onClose: () => void;
}

export function AddTask({
  plan,
  revision,
  placeKey,
  placeOf,
  where,
  onAdded,
  onClose,
}: AddTaskProps) {
  const draft = useDraft(plan, `add/${placeKey}`, "", revision);
  const [kind, setKind] = useState("task");
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const t = words.outline.addTask;
  const add = async (addsAnother: boolean) => {
    const title = draft.text.trim();
    if (isBusy) return;
    if (!title) {
      setError(t.emptyError);
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const place = await placeOf();
      const outcome = await writeField(plan, revision, { edit: "add_task", place, title, kind });
      if (outcome.outcome === "conflict") {
        setError(t.conflictError);
        return;
      }
      draft.drop();
      onAdded(outcome.outcome === "written" ? outcome.task : null, outcome.revision, addsAnother);
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setBusy(false);
    }
  };

  const cancel = () => {
    if (draft.isDraft) draft.drop();
    onClose();
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
      void add(event.shiftKey);
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
        dir="auto"
        value={draft.text}
        error={error}
        onChange={(event) => {
          setError(null);
          draft.set(event.currentTarget.value);
        }}
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
      <Button size="xs" loading={isBusy} onClick={() => void add(false)}>
        {t.add}
      </Button>
      <Button size="xs" variant="default" onClick={cancel}>
        {t.cancel}
      </Button>
    </div>
  );
}
