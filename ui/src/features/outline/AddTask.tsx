/** The line in which a new task gets its title. Enter adds it, Shift+Enter adds it and goes on with the next; Escape gives it up. What is typed survives the window. */
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { TaskPlace } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { writeField } from "../../api/fieldEdit";
import styles from "./AddTask.module.css";

interface AddTaskProps {
  plan: string;
  revision: string;
  /** Names the place in the draft's key, so that the line comes back where it was. */
  placeKey: string;
  /** Where it goes, asked when it is added. */
  placeOf: () => Promise<TaskPlace>;
  /** In words: "after T2". */
  where: string;
  onAdded: (task: string | null, revision: string, goesOn: boolean) => void;
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

  const add = async (goesOn: boolean) => {
    const title = draft.text.trim();
    if (isBusy) return;
    if (!title) {
      setError("A step needs a title.");
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const place = await placeOf();
      const outcome = await writeField(plan, revision, { edit: "add_task", place, title, kind });
      if (outcome.outcome === "conflict") {
        setError("The steps around it were changed meanwhile. Add it again if it still fits.");
        return;
      }
      draft.drop();
      onAdded(outcome.outcome === "written" ? outcome.task : null, outcome.revision, goesOn);
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setBusy(false);
    }
  };

  const giveUp = () => {
    if (draft.isDraft) draft.drop();
    onClose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      giveUp();
    } else if (event.key === "Enter" && event.target === input.current) {
      event.preventDefault();
      event.stopPropagation();
      void add(event.shiftKey);
    }
  };

  return (
    <div className={styles.add} role="group" aria-label={`New step ${where}`} onKeyDown={onKeyDown}>
      <TextInput
        ref={input}
        size="xs"
        className={styles.title}
        aria-label={`Title of the new step ${where}`}
        placeholder={`New step ${where}`}
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
        aria-label="Kind of the new step"
        value={kind}
        data={[
          { value: "task", label: "Task" },
          { value: "checkpoint", label: "Checkpoint" },
          { value: "decision", label: "Decision" },
        ]}
        onChange={(event) => setKind(event.currentTarget.value)}
      />
      <Button size="xs" loading={isBusy} onClick={() => void add(false)}>
        Add
      </Button>
      <Button size="xs" variant="default" onClick={giveUp}>
        Cancel
      </Button>
    </div>
  );
}
