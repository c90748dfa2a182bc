/** Edits a requirement, or adds a new one. */
import { Button, TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Outline, Requirement } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { writeField } from "../../api/fieldEdit";
import { words } from "../../words";
import { TextField } from "../task/TextField";
import { useField } from "../task/useField";
import styles from "./PlanHead.module.css";
import { useSend } from "./useSend";

interface RequirementEditorProps {
  outline: Outline;
  /** The requirement to edit; `null` adds a new one. */
  requirement: Requirement | null;
  onClose: () => void;
}

const t = words.outline.requirementEditor;

export function RequirementEditor({ outline, requirement, onClose }: RequirementEditorProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <div role="group" aria-label={requirement?.id ?? t.newLabel} onKeyDown={onKeyDown}>
      {requirement ? (
        <RequirementText outline={outline} requirement={requirement} onClose={onClose} />
      ) : (
        <NewRequirement outline={outline} onClose={onClose} />
      )}
    </div>
  );
}

interface RequirementTextProps {
  outline: Outline;
  requirement: Requirement;
  onClose: () => void;
}

function RequirementText({ outline, requirement, onClose }: RequirementTextProps) {
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
    if (field.isDirty) field.discard();
    const edit = { edit: "delete_requirement", id } as const;
    const outcome = await send.edit(outline.revision, edit, t.deleting(id));
    if (!outcome) return;
    onClose();
    send.offerUndo(t.deleted(id), outcome.revision);
  };

  return (
    <>
      <TextField label={id} field={field} shape="line" inputRef={input} />
      <p className={styles.covered}>{by.length > 0 ? t.coveredBy(by) : t.notCovered}</p>
      <div className={styles.ways}>
        <Button size="xs" variant="default" onClick={onClose}>
          {t.done}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          c="var(--pw-bad-text)"
          onClick={() => void remove()}
        >
          {t.delete(id)}
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
      setError(t.emptyError);
      return;
    }
    setBusy(true);
    try {
      const edit = { edit: "add_requirement", text } as const;
      const outcome = await writeField(outline.plan, outline.revision, edit);
      if (outcome.outcome === "conflict") {
        setError(t.conflictError);
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
        aria-label={t.newLabel}
        placeholder={t.placeholder}
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
          {t.add}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            if (draft.isDraft) draft.drop();
            onClose();
          }}
        >
          {t.cancel}
        </Button>
      </div>
    </>
  );
}
