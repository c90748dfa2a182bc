/** The prose of a task: read as it is rendered, typed as it is written. */
import { Button } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Outline, TaskDetail } from "../../api/bindings";
import { Rendered } from "../../components/Rendered";
import { FieldFrame } from "./FieldFrame";
import styles from "./TaskEditor.module.css";
import { TextField } from "./TextField";
import { useField } from "./useField";

interface ProseFieldProps {
  outline: Outline;
  detail: TaskDetail;
  readOnly: boolean;
}

export function ProseField({ outline, detail, readOnly }: ProseFieldProps) {
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
      <FieldFrame label="Prose" field={field}>
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
              Edit prose
            </Button>
          )}
        </div>
      </FieldFrame>
    );
  }
  return (
    <TextField
      label="Prose"
      field={field}
      shape="prose"
      placeholder="What there is to know for this step"
      inputRef={box}
      readOnly={readOnly}
    />
  );
}
