/** The notes of a step: shown rendered, edited as Markdown. */
import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Outline, TaskDetail } from "../../api/bindings";
import { Rendered } from "../../components/Rendered";
import { words } from "../../words";
import { labelOf } from "./codec";
import { FieldFrame } from "./FieldFrame";
import styles from "./TaskEditor.module.css";
import { TextField } from "./TextField";
import { useField } from "./useField";

interface NotesFieldProps {
  outline: Outline;
  detail: TaskDetail;
  readOnly: boolean;
}

export function NotesField({ outline, detail, readOnly }: NotesFieldProps) {
  const [isTyping, setTyping] = useState(false);
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const task = detail.row.id;
  const field = useField({
    plan: outline.plan,
    draftKey: `task/${task}/body`,
    value: detail.body,
    revision: detail.revision,
    toEdit: (text) => ({ edit: "body", task, text }),
  });

  useEffect(() => {
    if (isTyping) box.current?.focus();
  }, [isTyping]);

  const isRead = detail.body.trim() !== "" && !isTyping && !field.isDirty;
  if (isRead || (readOnly && detail.body.trim() !== "")) {
    return (
      <FieldFrame label={labelOf("body")} field={field}>
        <div className={styles.prose}>
          <Rendered html={detail.body_html} />
          {!readOnly && (
            <Button
              size="compact-xs"
              variant="subtle"
              className={styles.proseEdit}
              leftSection={<IconPencil size={13} aria-hidden />}
              onClick={() => setTyping(true)}
            >
              {words.task.editor.editNotes}
            </Button>
          )}
        </div>
      </FieldFrame>
    );
  }
  return (
    <TextField
      label={labelOf("body")}
      field={field}
      shape="prose"
      placeholder={words.task.notesPlaceholder}
      inputRef={box}
      readOnly={readOnly}
    />
  );
}
