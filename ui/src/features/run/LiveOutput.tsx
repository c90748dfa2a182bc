/** The output of the running command. Stays scrolled to the end unless the person has pressed Hold or scrolled away. */
import { Button } from "@mantine/core";
import { IconCopy, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState } from "react";
import { outputText } from "../../components/exactText";
import { words } from "../../words";
import { copyText } from "./clipboard";
import styles from "./LiveOutput.module.css";

/** Maximum number of characters shown; the backend also limits what it sends. */
const maxShown = 40_000;

interface LiveOutputProps {
  output: string;
  isCut: boolean;
}

export function LiveOutput({ output, isCut }: LiveOutputProps) {
  const [held, setHeld] = useState<string | null>(null);
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const text = outputText(held ?? output);
  const shown = text.slice(-maxShown);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on new output
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown]);

  return (
    <section className="pw-column pw-gap-4 pw-slim" aria-label={words.run.output.label}>
      <div className={styles.head}>
        <h3 className={styles.title}>
          {held === null ? words.run.output.title : words.run.output.heldTitle}
        </h3>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-pressed={held !== null}
          leftSection={held === null ? <IconPlayerPause size={13} /> : <IconPlayerPlay size={13} />}
          onClick={() => {
            follows.current = true;
            setHeld(held === null ? output : null);
          }}
        >
          {held === null ? words.run.output.hold : words.run.output.follow}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconCopy size={13} />}
          onClick={() => void copyText(text, words.run.output.copied)}
        >
          {words.run.output.copy}
        </Button>
      </div>
      <pre
        ref={box}
        className={styles.text}
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label={words.run.output.commandLabel}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          follows.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {(isCut || shown.length < text.length) && <span className="pw-dim">… </span>}
        {shown}
      </pre>
    </section>
  );
}
