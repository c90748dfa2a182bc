/** A note for each step, written into the plan word for word, and the lines that this adds; comments that were not sent stand in the fields already. The approval names the revision of that preview. */
import { Button, Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import type { ApprovalStep, Comment, GivenNotes, StepNote } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { usePreviewNotes } from "../../api/mutations";
import { useComments } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { Loading } from "../../components/States";
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
  const comments = useComments(plan);
  const unsent = (comments.data ?? []).filter((one) => !one.is_sent && !one.is_resolved);
  const homeless = unsent.filter((one) => !steps.some((step) => step.task === one.task));
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
          {comments.isPending && <Loading lines={2} label="Reading the comments" />}
          {(comments.isPending ? [] : steps).map((step) => (
            <NoteField
              key={step.task}
              plan={plan}
              revision={revision}
              step={step}
              said={noteOf(unsent.filter((one) => one.task === step.task))}
              onChange={(text) =>
                setTyped((now) => (now[step.task] === text ? now : { ...now, [step.task]: text }))
              }
            />
          ))}
        </div>
        {homeless.length > 0 && (
          <p className={styles.dim}>
            {homeless.length === 1
              ? "1 comment is about no step that is approved here; it stays as it is."
              : `${homeless.length} comments are about no step that is approved here; they stay as they are.`}
          </p>
        )}
      </div>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={notes.length === 0 || shown !== null}
          loading={preview.isPending}
          onClick={() => preview.mutate({ plan, revision, notes })}
        >
          Preview the plan
        </Button>
      </div>
      {shown && (
        <div>
          <h3 className={styles.caption}>
            PLAN WITH NOTES · REVISION {shown.revision.slice(0, 12)}
          </h3>
          <div className={styles.frame}>
            <Diff lines={shown.diff} label="Lines that the notes add" height={10} />
          </div>
        </div>
      )}
    </section>
  );
}

/** Comments as the note that they become. */
export function noteOf(comments: Comment[]): string {
  return comments
    .map((one) => {
      if (!one.quote) return one.text;
      return one.kind === "replace"
        ? `instead of “${one.quote}”: ${one.text}`
        : `“${one.quote}”: ${one.text}`;
    })
    .join("\n");
}

interface NoteFieldProps {
  plan: string;
  revision: string;
  step: ApprovalStep;
  /** What the field holds before anything is typed: the comments on this step. */
  said: string;
  onChange: (text: string) => void;
}

function NoteField({ plan, revision, step, said, onChange }: NoteFieldProps) {
  const field = useDraft(plan, noteKey(step.task), said, revision);
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
