/** A note for each step, written into the plan word for word, and the lines that this adds. The approval names the revision of that preview. */
import { Button, Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import type { ApprovalStep, GivenNotes, StepNote } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { usePreviewNotes } from "../../api/mutations";
import { Diff } from "../../components/Diff";
import styles from "./Approve.module.css";

export const noteKey = (task: string) => `note/${task}`;

interface NotesProps {
  plan: string;
  revision: string;
  steps: ApprovalStep[];
  /** The notes whose preview is on screen; `null` when there is none, or it is of other words. */
  onSeen: (notes: GivenNotes | null) => void;
}

export function Notes({ plan, revision, steps, onSeen }: NotesProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const preview = usePreviewNotes();
  const notes: StepNote[] = steps
    .map((step) => ({ task: step.task, text: (typed[step.task] ?? "").trim() }))
    .filter((note) => note.text !== "");
  const said = JSON.stringify([revision, notes]);
  const shown =
    preview.data &&
    preview.variables &&
    JSON.stringify([preview.variables.revision, preview.variables.notes]) === said
      ? preview.data
      : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `said` stands for the notes, whose list is made anew each time
  useEffect(() => {
    onSeen(shown ? { notes, revision: shown.revision } : null);
  }, [shown, said, onSeen]);

  return (
    <section className={styles.body}>
      <div>
        <h3 className={styles.caption}>NOTES</h3>
        <div className={styles.notes}>
          {steps.map((step) => (
            <NoteField
              key={step.task}
              plan={plan}
              revision={revision}
              step={step}
              onChange={(text) =>
                setTyped((now) => (now[step.task] === text ? now : { ...now, [step.task]: text }))
              }
            />
          ))}
        </div>
      </div>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={notes.length === 0 || shown !== null}
          loading={preview.isPending}
          onClick={() => preview.mutate({ plan, revision, notes })}
        >
          Show what they add
        </Button>
      </div>
      {shown && (
        <div>
          <h3 className={styles.caption}>
            THE PLAN WITH THE NOTES · REVISION {shown.revision.slice(0, 12)}
          </h3>
          <div className={styles.frame}>
            <Diff lines={shown.diff} label="Lines that the notes add" height={10} />
          </div>
        </div>
      )}
    </section>
  );
}

interface NoteFieldProps {
  plan: string;
  revision: string;
  step: ApprovalStep;
  onChange: (text: string) => void;
}

function NoteField({ plan, revision, step, onChange }: NoteFieldProps) {
  const field = useDraft(plan, noteKey(step.task), "", revision);
  const { text } = field;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when the words change, a found draft too
  useEffect(() => onChange(text), [text]);
  return (
    <Textarea
      size="xs"
      autosize
      minRows={1}
      maxRows={5}
      dir="auto"
      label={
        <>
          <span className={styles.id}>{step.task}</span> <bdi>{step.title}</bdi>
        </>
      }
      value={text}
      onChange={(event) => field.set(event.currentTarget.value)}
    />
  );
}
