/** One requirement open for editing, or a new one. */
import { Button, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Outline, Requirement } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { writeField } from "../../api/fieldEdit";
import { TextField } from "../task/TextField";
import { useField } from "../task/useField";
import styles from "./PlanHead.module.css";
import { useSend } from "./useSend";

interface RequirementEditorProps {
  outline: Outline;
  /** `null`: a new one. */
  requirement: Requirement | null;
  onClose: () => void;
}

export function RequirementEditor({ outline, requirement, onClose }: RequirementEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <div role="group" aria-label={requirement?.id ?? "New requirement"} onKeyDown={onKeyDown}>
      {requirement ? (
        <Words outline={outline} requirement={requirement} onClose={onClose} />
      ) : (
        <NewRequirement outline={outline} onClose={onClose} />
      )}
    </div>
  );
}

interface WordsProps {
  outline: Outline;
  requirement: Requirement;
  onClose: () => void;
}

function Words({ outline, requirement, onClose }: WordsProps) {
  const { id, covered_by: by } = requirement;
  const send = useSend(outline.plan);
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus(), []);
  const field = useField({
    plan: outline.plan,
    draftKey: `requirement/${id}`,
    value: requirement.text,
    revision: outline.revision,
    toEdit: (text) => ({ edit: "requirement", id, text }),
  });

  const remove = async () => {
    if (field.isDirty) field.giveUp();
    const edit = { edit: "delete_requirement", id } as const;
    const outcome = await send.edit(outline.revision, edit, `Deleting ${id}`);
    if (!outcome) return;
    onClose();
    send.offerUndo(`${id} is deleted`, outcome.revision);
  };

  return (
    <>
      <TextField label={id} field={field} shape="line" inputRef={input} />
      <p className={styles.covered}>
        {by.length > 0 ? `Covered by ${by.join(", ")}.` : "No step covers it yet."}
      </p>
      <div className={styles.ways}>
        <Button size="xs" variant="default" onClick={onClose}>
          Done
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          c="var(--pw-bad-text)"
          onClick={() => void remove()}
        >
          Delete {id}
        </Button>
      </div>
    </>
  );
}

function NewRequirement({ outline, onClose }: { outline: Outline; onClose: () => void }) {
  const draft = useDraft(outline.plan, "requirement/+", "", outline.revision);
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const add = async () => {
    const text = draft.text.trim();
    if (isBusy) return;
    if (!text) {
      setError("A requirement needs words.");
      return;
    }
    setBusy(true);
    try {
      const edit = { edit: "add_requirement", text } as const;
      const outcome = await writeField(outline.plan, outline.revision, edit);
      if (outcome.outcome === "conflict") {
        setError("The requirements were changed meanwhile. Add it again if it is still wanted.");
        return;
      }
      draft.drop();
      onClose();
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <TextInput
        ref={input}
        size="xs"
        aria-label="New requirement"
        placeholder="What the result has to do"
        dir="auto"
        value={draft.text}
        error={error}
        onChange={(event) => {
          setError(null);
          draft.set(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) {
            event.preventDefault();
            void add();
          } else if (event.key === "Escape" && draft.isDraft) {
            draft.drop();
          }
        }}
      />
      <div className={styles.ways}>
        <Button size="xs" loading={isBusy} onClick={() => void add()}>
          Add
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            if (draft.isDraft) draft.drop();
            onClose();
          }}
        >
          Cancel
        </Button>
      </div>
    </>
  );
}
