/** Mutes a finding: the reason is written into the plan, and the score stays the same. */
import { Textarea } from "@mantine/core";
import { useState } from "react";
import type { Outline } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { badgeWord } from "../../components/Shield";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import styles from "./Findings.module.css";

/** The finding to mute. */
export interface MuteTarget {
  id: string;
  code: string;
  task: string | null;
  message: string;
}

interface MuteDialogProps {
  outline: Outline;
  muting: MuteTarget;
  onClose: () => void;
  /** Called before writing. Resolves to the revision to base the edit on, or to `null` to write nothing. */
  before?: () => Promise<string | null>;
}

/** Joins the lines of a reason, because in the plan it is a single line. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const text = words.findings.muteDialog;

export function MuteDialog({ outline, muting, onClose, before }: MuteDialogProps) {
  const { plan, badge } = outline;
  const { id, code, task, message } = muting;
  const send = useSend(plan);
  const reason = useDraft(plan, `mute/${id}`, "", outline.revision);
  const [isBusy, setBusy] = useState(false);
  const line = oneLine(reason.text);

  const mute = async () => {
    setBusy(true);
    const revision = before ? await before() : outline.revision;
    const outcome = revision === null ? null : await send.mute(revision, id, line);
    setBusy(false);
    if (outcome?.outcome === "written") {
      reason.drop();
      send.offerUndo(text.muted(message), outcome.revision);
    }
    // A reason that wasn't written is kept as a draft.
    onClose();
  };

  return (
    <ConfirmDialog
      opened
      title={text.title}
      confirm={text.confirm}
      busy={isBusy}
      blocked={line ? null : text.reasonMissing}
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
        label={text.reason}
        value={reason.text}
        onChange={(event) => reason.set(event.currentTarget.value)}
      />
      <p className={styles.note}>
        {text.savedAs(task)} <code>{`${task ? "- " : ""}mute: ${code} …`}</code>{" "}
        {text.scoreStays(badgeWord(badge.word), badge.score)}
      </p>
    </ConfirmDialog>
  );
}
