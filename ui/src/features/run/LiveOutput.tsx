/** What the command under way prints: the newest is in view unless the person holds it or has scrolled away. */
import { Button } from "@mantine/core";
import { IconCopy, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState } from "react";
import { outputText } from "../../components/exactText";
import { copyText } from "./clipboard";
import styles from "./LiveOutput.module.css";

/** The longest text that is drawn, in signs; the backend bounds what it sends too. */
const shownAtMost = 40_000;

interface LiveOutputProps {
  output: string;
  isCut: boolean;
}

export function LiveOutput({ output, isCut }: LiveOutputProps) {
  const [held, setHeld] = useState<string | null>(null);
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  const text = outputText(held ?? output);
  const shown = text.slice(-shownAtMost);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when there is more to show
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown]);

  return (
    <section className={styles.live} aria-label="Live output">
      <div className={styles.head}>
        <h3 className={styles.title}>OUTPUT{held !== null && " · HELD"}</h3>
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
          {held === null ? "Hold" : "Follow"}
        </Button>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconCopy size={13} />}
          onClick={() => void copyText(text, "Output copied")}
        >
          Copy
        </Button>
      </div>
      <pre
        ref={box}
        className={styles.text}
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label="Output of the command under way"
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          follows.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {(isCut || shown.length < text.length) && <span className={styles.cut}>… </span>}
        {shown}
      </pre>
    </section>
  );
}
