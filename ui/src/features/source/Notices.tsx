/** Above the text: why it cannot be changed, what stands between the typed text and the file, and the ways out. Nothing is chosen by itself. */
import { Button } from "@mantine/core";
import { Code } from "../../components/Code";
import type { Side } from "./changes";
import type { Kept } from "./keeper";
import styles from "./Source.module.css";
import type { Desk } from "./useDesk";

interface NoticesProps {
  desk: Desk | null;
  kept?: Kept;
  /** Why the text cannot be changed. */
  refusal: string | null;
}

export function Notices({ desk, kept, refusal }: NoticesProps) {
  // The button that is pressed goes away: the focus goes to the text.
  const then = (act: (desk: Desk) => void) => () => {
    if (!desk) return;
    act(desk);
    desk.view.focus();
  };
  const choice = (side: Side) => then(({ keeper }) => void keeper.choose(side));

  if (refusal !== null) {
    return (
      <section className={styles.notice} aria-label="About the file">
        <p>
          <strong>This text can only be read.</strong> {refusal}
        </p>
      </section>
    );
  }
  if (!kept) return null;
  if (kept.clash) {
    return (
      <section className={styles.notice} data-tone="warn" role="alert">
        <p>
          <strong>Changed meanwhile.</strong> The same lines were changed here and in the file. What
          you typed is kept, and not in the file yet.
        </p>
        <div className={styles.sides}>
          <section aria-label="Yours">
            <p className={styles.side}>Yours</p>
            <Code block lines={6} label="Your lines">
              {kept.clash.mine || "(nothing)"}
            </Code>
          </section>
          <section aria-label="In the file now">
            <p className={styles.side}>In the file now</p>
            <Code block lines={6} label="The file's lines">
              {kept.clash.theirs || "(nothing)"}
            </Code>
          </section>
        </div>
        <div className={styles.ways}>
          <Button size="xs" onClick={choice("mine")}>
            Write mine
          </Button>
          <Button size="xs" variant="default" onClick={choice("theirs")}>
            Take the file's
          </Button>
          <Button size="xs" variant="default" onClick={choice("both")}>
            Keep both
          </Button>
        </div>
      </section>
    );
  }
  if (kept.error !== null) {
    return (
      <section className={styles.notice} data-tone="bad" role="alert">
        <p>
          <strong>The text was not saved.</strong> {kept.error} What you typed is kept.
        </p>
        <div className={styles.ways}>
          <Button size="xs" variant="default" onClick={then(({ keeper }) => keeper.save())}>
            Try again
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={then(({ keeper }) => keeper.giveUp())}
          >
            Give up what I typed
          </Button>
        </div>
      </section>
    );
  }
  if (kept.isRestored && !kept.isSaving) {
    return (
      <section className={styles.notice} role="status">
        <p>
          <strong>Typed before, not in the plan yet.</strong> The text below is what you typed.
        </p>
        <div className={styles.ways}>
          <Button size="xs" variant="default" onClick={then(({ keeper }) => keeper.save())}>
            Save it
          </Button>
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={then(({ keeper }) => keeper.giveUp())}
          >
            Give it up
          </Button>
        </div>
      </section>
    );
  }
  return null;
}
