/** The editor of a step, in its row. When the file changes on disk, all fields are updated immediately, except the one being typed in. */
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Edit, Outline, TaskDetail } from "../../api/bindings";
import { useTask } from "../../api/queries";
import { ErrorState, Loading } from "../../components/States";
import { words } from "../../words";
import { TaskFindings } from "../findings/TaskFindings";
import { ChoiceField } from "./ChoiceField";
import {
  alwaysLines,
  dependsEdit,
  dependsText,
  fieldEdit,
  further,
  furtherKeys,
  hintOf,
  labelOf,
  normalLines,
  shapeOf,
  textOf,
} from "./codec";
import { NotesField } from "./NotesField";
import { CoversField, DependsField, FilesField } from "./PickFields";
import styles from "./TaskEditor.module.css";
import { TextField } from "./TextField";
import { type Field, useField } from "./useField";

const { editor } = words.task;

interface TaskEditorProps {
  outline: Outline;
  task: string;
  onClose: () => void;
}

export function TaskEditor({ outline, task, onClose }: TaskEditorProps) {
  const detail = useTask(outline.plan, outline.revision, task);
  if (detail.data) return <Fields outline={outline} detail={detail.data} onClose={onClose} />;
  if (detail.isError) {
    return (
      <ErrorState title={editor.failed} error={detail.error} onRetry={() => void detail.refetch()}>
        <Button variant="default" onClick={onClose}>
          {editor.close}
        </Button>
      </ErrorState>
    );
  }
  return <Loading lines={3} label={editor.loading} />;
}

interface FieldsProps {
  outline: Outline;
  detail: TaskDetail;
  onClose: () => void;
}

/** One field of the open step. */
function useTaskField(
  { outline, detail }: FieldsProps,
  key: string,
  value: string,
  toEdit: (text: string) => Edit,
  normal?: (text: string) => string,
): Field {
  return useField({
    plan: outline.plan,
    draftKey: `task/${detail.row.id}/${key}`,
    value,
    revision: detail.revision,
    toEdit,
    normal,
  });
}

function useKeyField(props: FieldsProps, key: string): Field {
  const task = props.detail.row.id;
  return useTaskField(
    props,
    key,
    textOf(props.detail, key),
    (text) => fieldEdit(task, key, text),
    normalLines,
  );
}

function Fields(props: FieldsProps) {
  const { outline, detail, onClose } = props;
  const task = detail.row.id;
  const readOnly = !outline.is_writable;
  const [added, setAdded] = useState<string[]>([]);
  const titleRef = useRef<HTMLInputElement & HTMLTextAreaElement>(null);

  // A row takes focus when it is opened, but not when it is reopened after a restart.
  useEffect(() => {
    const held = document.activeElement;
    if (!held || held === document.body || held.closest('[role="treegrid"]')) {
      titleRef.current?.focus({ preventScroll: true });
    }
  }, []);

  const title = useTaskField(props, "title", detail.row.title, (text) => ({
    edit: "title",
    task,
    text,
  }));
  const kind = useTaskField(props, "type", detail.kind, (text) =>
    fieldEdit(task, "type", text === "task" ? "" : text),
  );
  const depends = useTaskField(props, "depends", dependsText(detail), (text) =>
    dependsEdit(task, text),
  );
  const files = useKeyField(props, "files");
  const covers = useKeyField(props, "covers");
  const complexity = useKeyField(props, "complexity");
  const by = useTaskField(props, "by", textOf(detail, "by") || "unsaid", (text) =>
    fieldEdit(task, "by", text === "unsaid" ? "" : text),
  );

  const shown = [...new Set([...furtherKeys(detail), ...added])];
  const isAsked = detail.kind !== "task";
  if (isAsked && !shown.includes("option")) shown.unshift("option");
  const offered = further.filter((key) => !shown.includes(key));

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };

  return (
    <div
      className={styles.editor}
      role="group"
      aria-label={editor.label(task)}
      onKeyDown={closeOnEscape}
    >
      <div className={styles.head}>
        <span className={styles.id}>{task}</span>
        <span className="pw-dim pw-tiny">{editor.line(detail.line)}</span>
        <ActionIcon
          className={styles.close}
          variant="subtle"
          color="gray"
          size={26}
          aria-label={editor.closeStep(task)}
          onClick={onClose}
        >
          <IconX size={16} />
        </ActionIcon>
      </div>
      <TaskFindings outline={outline} task={task} />
      <TextField
        label={labelOf("title")}
        field={title}
        shape="line"
        inputRef={titleRef}
        readOnly={readOnly}
      />
      <NotesField outline={outline} detail={detail} readOnly={readOnly} />
      <ChoiceField
        label={labelOf("type")}
        field={kind}
        readOnly={readOnly}
        choices={[
          { value: "task", label: words.task.kinds.task },
          { value: "checkpoint", label: words.task.kinds.checkpoint },
          { value: "decision", label: words.task.kinds.decision },
        ]}
      />
      {isAsked && <KeyField {...props} name="option" readOnly={readOnly} />}
      <DependsField
        field={depends}
        plan={outline.plan}
        revision={detail.revision}
        task={task}
        readOnly={readOnly}
      />
      <FilesField field={files} workspace={outline.workspace} readOnly={readOnly} />
      {alwaysLines.map((key) => (
        <KeyField key={key} {...props} name={key} readOnly={readOnly} />
      ))}
      <CoversField field={covers} requirements={outline.requirements} readOnly={readOnly} />
      <ChoiceField
        label={labelOf("by")}
        field={by}
        readOnly={readOnly}
        choices={[
          { value: "unsaid", label: words.task.assignees.unsaid },
          { value: "agent", label: words.task.assignees.agent },
          { value: "person", label: words.task.assignees.person },
          { value: "either", label: words.task.assignees.either },
        ]}
      />
      <TextField
        label={labelOf("complexity")}
        field={complexity}
        shape="line"
        hint={hintOf("complexity")}
        readOnly={readOnly}
      />
      {shown
        .filter((key) => !(isAsked && key === "option"))
        .map((key) => (
          <KeyField key={key} {...props} name={key} readOnly={readOnly} />
        ))}
      {(detail.row.skipped !== null || added.includes("skipped")) && (
        <SkippedField {...props} readOnly={readOnly} />
      )}
      {detail.dependents.length > 0 && (
        <p className="pw-hint">{editor.dependents(detail.dependents.map((one) => one.id))}</p>
      )}
      <div className="pw-wrap pw-gap-8">
        {!readOnly && (
          <Menu position="bottom-start" width={220}>
            <Menu.Target>
              <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />}>
                {editor.addField}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {[...offered, ...(detail.row.skipped === null ? ["skipped"] : [])].map((key) => (
                <Menu.Item key={key} onClick={() => setAdded((before) => [...before, key])}>
                  {labelOf(key)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <Button size="xs" variant="default" className={styles.close} onClick={onClose}>
          {editor.done}
        </Button>
      </div>
    </div>
  );
}

/** A field with one or several lines for any key, known or not. */
function KeyField(props: FieldsProps & { name: string; readOnly: boolean }) {
  const field = useKeyField(props, props.name);
  const shape = shapeOf(props.name);
  return (
    <TextField
      label={labelOf(props.name)}
      field={field}
      shape={shape}
      hint={hintOf(props.name)}
      readOnly={props.readOnly}
    />
  );
}

/** The reason for skipping a step. Without one, the step isn't skipped. */
function SkippedField(props: FieldsProps & { readOnly: boolean }) {
  const task = props.detail.row.id;
  const field = useTaskField(props, "skipped", props.detail.row.skipped ?? "", (text) => ({
    edit: "skip",
    task,
    reason: text.trim() || null,
  }));
  return (
    <TextField
      label={labelOf("skipped")}
      field={field}
      shape="line"
      hint={hintOf("skipped")}
      readOnly={props.readOnly}
    />
  );
}
