/** The recovery options of a step that a model executes. One can be chosen at any time with a single click, optionally with instructions; the second click of a double click is ignored. */
import { Button } from "@mantine/core";
import { IconArrowFork } from "@tabler/icons-react";
import { useLayoutEffect, useRef } from "react";
import type { RecoveryWay } from "../../api/bindings";
import { useDraft } from "../../api/drafts";
import { useSteer } from "../../api/mutations";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { AnswerField } from "./cards/AnswerField";
import card from "./cards/Card.module.css";
import { deafMs } from "./cards/useCardAnswer";
import { recoveryLabel } from "./labels";
import { openRecovery } from "./openRecovery";
import styles from "./RunPanel.module.css";

interface RecoveryProps {
  plan: string;
  run: string;
  task: string;
  options: RecoveryWay[];
  /** Why no option can be chosen now; `null` if one can. */
  closed: string | null;
}

/** A button that opens the options. */
export function Recovery(props: RecoveryProps) {
  const open = useStore(openRecovery);
  const { run, task } = props;
  if (props.options.length === 0 || props.closed) return null;
  const isOpen = open?.run === run && open.task === task;
  return (
    <section className={styles.ways} aria-label={words.runCards.recovery.label(task)}>
      <div className="pw-chips pw-gap-8">
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          leftSection={<IconArrowFork size={13} />}
          onClick={() => openRecovery.set(isOpen ? null : { run, task })}
        >
          {isOpen ? words.runCards.recovery.close : words.runCards.recovery.open(task)}
        </Button>
      </div>
      {isOpen && <RecoveryList {...props} autoFocus onChosen={() => openRecovery.set(null)} />}
    </section>
  );
}

interface RecoveryListProps extends RecoveryProps {
  autoFocus?: boolean;
  onChosen?: () => void;
}

/** The list of options; the card of a failed step shows it directly. */
export function RecoveryList({
  plan,
  run,
  task,
  options,
  closed,
  autoFocus,
  onChosen,
}: RecoveryListProps) {
  const draft = useDraft(plan, `way/${run}/${task}`);
  const steer = useSteer();
  const isSent = useRef(false);
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const instructions = draft.text.trim();
  const choose = (strategy: string) => {
    // Ignores a click meant for the previous content.
    if (isSent.current || performance.now() - shownAt.current < deafMs) return;
    isSent.current = true;
    steer.mutate(
      { run, steering: { action: "recover", task, strategy, words: instructions || null } },
      {
        onSuccess: () => {
          draft.drop();
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
      <AnswerField
        draft={draft}
        label={words.runCards.recovery.instructions}
        hint={words.runCards.recovery.instructionsHint}
        autoFocus={autoFocus}
      />
      <ul className="pw-list pw-column pw-gap-6" aria-label={words.runCards.recovery.list(task)}>
        {options.map((option) => {
          const { title, line } = recoveryLabel(option.strategy);
          const needsReason = option.strategy === "skip_and_continue" && !instructions;
          const why = option.closed ?? (needsReason ? words.runCards.recovery.needsReason : null);
          const isOff = steer.isPending || closed !== null || why !== null;
          return (
            <li key={option.strategy}>
              <button
                type="button"
                className={card.option}
                aria-disabled={isOff}
                onClick={(event) => !isOff && event.detail < 2 && choose(option.strategy)}
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
