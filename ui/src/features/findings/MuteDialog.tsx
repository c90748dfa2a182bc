/** Saying that a finding is known and stays: the reason is written into the plan, the number does not move. */
import { Textarea } from "@mantine/core";
import { useState } from "react";
import type { Outline } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { badgeWord } from "../../components/Shield";
import { useSend } from "../outline/useSend";
import styles from "./Findings.module.css";

/** What is to be muted. */
export interface Muting {
  id: string;
  code: string;
  task: string | null;
  message: string;
}

interface MuteDialogProps {
  outline: Outline;
  muting: Muting;
  onClose: () => void;
  /** Called before it is written; answers the revision to write on, or `null` when it must not be. */
  before?: () => Promise<string | null>;
}

/** A reason stands in one line of the plan. */
const oneLine = (words: string) => words.replace(/\s+/g, " ").trim();

export function MuteDialog({ outline, muting, onClose, before }: MuteDialogProps) {
  const { plan, badge } = outline;
  const { id, code, task, message } = muting;
  const send = useSend(plan);
  const reason = useDraft(plan, `mute/${id}`, "", outline.revision);
  const [isBusy, setBusy] = useState(false);
  const words = oneLine(reason.text);

  const mute = async () => {
    setBusy(true);
    const revision = before ? await before() : outline.revision;
    const outcome = revision === null ? null : await send.mute(revision, id, words);
    setBusy(false);
    if (outcome?.outcome === "written") {
      reason.drop();
      send.offerUndo(`Muted: ${message}`, outcome.revision);
    }
    // A reason that was not written is kept for the next try.
    onClose();
  };

  return (
    <ConfirmDialog
      opened
      title="Mute this finding"
      confirm="Mute it"
      busy={isBusy}
      blocked={words ? null : "Enter a reason."}
      onClose={onClose}
      onConfirm={() => void mute()}
    >
      <p className={styles.quoted} dir="auto">
        {message}
      </p>
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        required
        dir="auto"
        size="xs"
        label="Why it stays as it is"
        value={reason.text}
        onChange={(event) => reason.set(event.currentTarget.value)}
      />
      <p className={styles.note}>
        The reason is written into the plan, as the line{" "}
        <code>
          {task ? "- " : ""}mute: {code} …
        </code>{" "}
        {task ? `of ${task}` : "at its head"}: whoever reads the plan reads it too. The number does
        not move: the plan stays {badgeWord(badge.word)} · {badge.score}.
      </p>
    </ConfirmDialog>
  );
}
