/** The controls for denying with a reason, on every card that can be denied: a button that opens a field, one that denies, and one that closes the field. Typed text is kept as a draft until it is sent. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { DraftField } from "../../../api/drafts";
import { words } from "../../../words";
import { AnswerField } from "./AnswerField";
import styles from "./Card.module.css";

interface RefusalProps {
  words: DraftField;
  /** The label of the field for the reason. */
  label: string;
  /** Whether the card can't be answered now. */
  isOff: boolean;
  /** Called with the trimmed reason, which may be empty. */
  onRefuse: (words: string) => void;
}

export function Refusal({ words: draft, label, isOff, onRefuse }: RefusalProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && draft.text === "") {
    return (
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-disabled={isOff}
        onClick={() => !isOff && setOpen(true)}
      >
        {words.runCards.refusal.ask}
      </Button>
    );
  }
  return (
    <>
      <div className={styles.whole}>
        <AnswerField draft={draft} label={label} autoFocus={isOpen} />
      </div>
      <Button
        size="xs"
        variant="default"
        aria-disabled={isOff}
        onClick={() => !isOff && onRefuse(draft.text.trim())}
      >
        {words.runCards.refusal.deny}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          draft.drop();
          setOpen(false);
        }}
      >
        {words.runCards.refusal.back}
      </Button>
    </>
  );
}
