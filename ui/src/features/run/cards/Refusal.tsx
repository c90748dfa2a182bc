/** A no with words, the same on every card that may be refused: a button that opens a field, the no itself, and the way back. What is typed is a draft until it is given. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { DraftField } from "../../../api/drafts";
import styles from "./Card.module.css";
import { Words } from "./Words";

interface RefusalProps {
  words: DraftField;
  /** What the words are for. */
  label: string;
  /** What is on the button that refuses. */
  no?: string;
  /** Nothing is taken now. */
  isOff: boolean;
  /** Hears the words without space around them; empty where none were typed. */
  onRefuse: (words: string) => void;
}

export function Refusal({ words, label, no = "No", isOff, onRefuse }: RefusalProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && words.text === "") {
    return (
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-disabled={isOff}
        onClick={() => !isOff && setOpen(true)}
      >
        No, and say why
      </Button>
    );
  }
  return (
    <>
      <div className={styles.whole}>
        <Words field={words} label={label} autoFocus={isOpen} />
      </div>
      <Button
        size="xs"
        variant="default"
        aria-disabled={isOff}
        onClick={() => !isOff && onRefuse(words.text.trim())}
      >
        {no}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          words.drop();
          setOpen(false);
        }}
      >
        Back
      </Button>
    </>
  );
}
