/** A note for each step, which is written into the plan verbatim, with a preview of the added lines. The fields are prefilled with unsent comments. The approval names the previewed revision. */
import { Button, Textarea } from "@mantine/core";
import { useEffect, useState } from "react";
import type { ApprovalStep, Comment, GivenNotes, StepNote } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { usePreviewNotes } from "../../api/mutations";
import { useComments } from "../../api/queries";
import { Diff } from "../../components/Diff";
import { Loading } from "../../components/States";
import { shortRevision } from "../../lib/revision";
import { words } from "../../words";
import styles from "./Approve.module.css";

const w = words.approve.notes;

export const noteKey = (task: string) => `note/${task}`;

interface NotesProps {
  plan: string;
  revision: string;
  steps: ApprovalStep[];
  /** Called with the notes whose preview is on screen, or with `null` if there is no preview or the notes have changed since. */
  onPreview: (notes: GivenNotes | null) => void;
}

export function Notes({ plan, revision, steps, onPreview }: NotesProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const preview = usePreviewNotes();
  const comments = useComments(plan);
  const unsent = (comments.data ?? []).filter((one) => !one.is_sent && !one.is_resolved);
  const elsewhere = unsent.filter((one) => !steps.some((step) => step.task === one.task));
  const notes: StepNote[] = steps
    .map((step) => ({ task: step.task, text: (typed[step.task] ?? "").trim() }))
    .filter((note) => note.text !== "");
  const typedNotes = JSON.stringify([revision, notes]);
  const shown =
    preview.data &&
    preview.variables &&
    JSON.stringify([preview.variables.revision, preview.variables.notes]) === typedNotes
      ? preview.data
      : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `typedNotes` stands for `notes`, which is a new array on every render
  useEffect(() => {
    onPreview(shown ? { notes, revision: shown.revision } : null);
  }, [shown, typedNotes, onPreview]);

  return (
    <section className={styles.body}>
      <div>
        <h3 className={styles.caption}>{w.heading}</h3>
        <div className={styles.notes}>
          {comments.isPending && <Loading lines={2} label={w.loading} />}
          {(comments.isPending ? [] : steps).map((step) => (
            <NoteField
              key={step.task}
              plan={plan}
              revision={revision}
              step={step}
              initial={noteOf(unsent.filter((one) => one.task === step.task))}
              onChange={(text) =>
                setTyped((now) => (now[step.task] === text ? now : { ...now, [step.task]: text }))
              }
            />
          ))}
        </div>
        {elsewhere.length > 0 && <p className="pw-hint">{w.commentsElsewhere(elsewhere.length)}</p>}
      </div>
      <div>
        <Button
          size="xs"
          variant="default"
          disabled={notes.length === 0 || shown !== null}
          loading={preview.isPending}
          onClick={() => preview.mutate({ plan, revision, notes })}
        >
          {w.preview}
        </Button>
      </div>
      {shown && (
        <div>
          <h3 className={styles.caption}>{w.previewHeading(shortRevision(shown.revision))}</h3>
          <div className="pw-frame pw-clip">
            <Diff lines={shown.diff} label={w.addedLines} height={10} />
          </div>
        </div>
      )}
    </section>
  );
}

/** The note that prefills a field, from the comments on its step. */
export function noteOf(comments: Comment[]): string {
  return comments
    .map((one) => {
      if (!one.quote) return one.text;
      return one.kind === "replace"
        ? w.replacing(one.quote, one.text)
        : w.about(one.quote, one.text);
    })
    .join("\n");
}

interface NoteFieldProps {
  plan: string;
  revision: string;
  step: ApprovalStep;
  /** The initial text: the comments on this step. */
  initial: string;
  onChange: (text: string) => void;
}

function NoteField({ plan, revision, step, initial, onChange }: NoteFieldProps) {
  const field = useDraft(plan, noteKey(step.task), initial, revision);
  const { text } = field;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called whenever the text changes, also when a draft is restored
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
