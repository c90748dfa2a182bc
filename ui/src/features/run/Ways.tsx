/** The ways in which a step of a model's can go on, to be chosen by the person at any time: with words of one's own, one click, and never by the second half of a double click. */
import { Button } from "@mantine/core";
import { IconArrowFork } from "@tabler/icons-react";
import { useLayoutEffect, useRef } from "react";
import type { RecoveryWay } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useSteer } from "../../api/mutations";
import { useStore } from "../../lib/store";
import card from "./cards/Card.module.css";
import { deafMs } from "./cards/useAnswering";
import { Words } from "./cards/Words";
import styles from "./RunPanel.module.css";
import { waysOpen } from "./waysOpen";
import { wayWords } from "./words";

interface WaysProps {
  plan: string;
  run: string;
  task: string;
  ways: RecoveryWay[];
  /** Why none can be chosen here now. */
  closed: string | null;
}

/** A closed line that opens to the ways. */
export function Ways(props: WaysProps) {
  const open = useStore(waysOpen);
  const { run, task } = props;
  if (props.ways.length === 0 || props.closed) return null;
  const isOpen = open?.run === run && open.task === task;
  return (
    <section className={styles.ways} aria-label={`Ways to go on with ${task}`}>
      <div className={styles.buttons}>
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          leftSection={<IconArrowFork size={13} />}
          onClick={() => waysOpen.set(isOpen ? null : { run, task })}
        >
          {isOpen ? "As it is" : `Another way for ${task}…`}
        </Button>
      </div>
      {isOpen && <WayList {...props} autoFocus onChosen={() => waysOpen.set(null)} />}
    </section>
  );
}

interface WayListProps extends WaysProps {
  autoFocus?: boolean;
  onChosen?: () => void;
}

/** The ways themselves, as in the card of a step that failed. */
export function WayList({ plan, run, task, ways, closed, autoFocus, onChosen }: WayListProps) {
  const words = useDraft(plan, `way/${run}/${task}`);
  const steer = useSteer();
  const isSent = useRef(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const said = words.text.trim();
  const choose = (strategy: string) => {
    // A click meant for what stood here before chooses nothing.
    if (isSent.current || performance.now() - shownAt.current < deafMs) return;
    isSent.current = true;
    steer.mutate(
      { run, steering: { action: "recover", task, strategy, words: said || null } },
      {
        onSuccess: () => {
          words.drop();
          onChosen?.();
        },
        onSettled: () => {
          isSent.current = false;
        },
      },
    );
  };
  return (
    <>
      <Words
        field={words}
        label="In your words"
        hint="Sent to the model first; the reason if you skip the step."
        autoFocus={autoFocus}
      />
      <ul className={card.options} aria-label={`How ${task} goes on`}>
        {ways.map((way) => {
          const { title, line } = wayWords(way.strategy);
          const needsWords = way.strategy === "skip_and_continue" && !said;
          const why = way.closed ?? (needsWords ? "enter a reason above" : null);
          const isOff = steer.isPending || closed !== null || why !== null;
          return (
            <li key={way.strategy}>
              <button
                type="button"
                className={card.option}
                aria-disabled={isOff}
                onClick={(event) => !isOff && event.detail < 2 && choose(way.strategy)}
              >
                {title}
                <span className={card.effect}> · {why ?? line}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
