/** Changes that stand against each other, one at a time: the lines before both, mine and theirs side by side, and what to keep. Nothing is chosen by itself. */
import { Button } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ConflictChoice, Outline, PlanConflict } from "../../api/bindings";
import { useConflicts } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { Dialog } from "../../components/Dialog";
import { IconButton } from "../../components/IconButton";
import { Kbd } from "../../components/Kbd";
import { EmptyState, ErrorState, Loading } from "../../components/States";
import { WordRuns } from "../history/WordRuns";
import { when } from "../run/words";
import styles from "./Conflicts.module.css";
import { closeConflicts } from "./conflicts";
import { useSettle } from "./useSettle";
import { wordsBetween } from "./wordDiff";

/** How long a conflict that has just come up takes no key: the one meant for the last one settles nothing. */
const deafMs = 400;

export default function ConflictsDialog({ outline }: { outline: Outline }) {
  const { plan } = outline;
  const conflicts = useConflicts(plan);
  const { settle, isBusy, late } = useSettle(plan);
  const [chosen, setChosen] = useState<{ id: number; index: number } | null>(null);
  const list = conflicts.data ?? none;
  const index = indexOf(list, chosen);
  const conflict = list[index];

  const go = (by: number) => {
    const next = list[(index + by + list.length) % Math.max(1, list.length)];
    if (next) setChosen({ id: next.id, index: list.indexOf(next) });
  };
  const keep = (choice: ConflictChoice) => {
    if (!conflict || isBusy || (choice !== "theirs" && !outline.is_writable)) return;
    // The one behind it takes its place.
    setChosen({ id: conflict.id, index });
    settle(conflict, choice);
  };
  useConflictKeys(conflict?.id ?? null, list.length > 1, go, keep);

  return (
    <Dialog
      onClose={closeConflicts}
      title="Changes that stand against each other"
      size={1080}
      actions={
        conflict &&
        !conflicts.isError && (
          <>
            <Choice keys="m" isOff={isBusy || !outline.is_writable} onClick={() => keep("mine")}>
              Keep mine
            </Choice>
            <Choice keys="t" isOff={isBusy} onClick={() => keep("theirs")}>
              Keep theirs
            </Choice>
            <Choice keys="b" isOff={isBusy || !outline.is_writable} onClick={() => keep("both")}>
              Keep both
            </Choice>
          </>
        )
      }
    >
      {conflicts.isError ? (
        <ErrorState
          title="The conflicts cannot be read"
          error={conflicts.error}
          onRetry={() => void conflicts.refetch()}
        />
      ) : conflicts.data === undefined ? (
        <Loading lines={5} label="Loading the conflicts" />
      ) : conflict === undefined ? (
        <EmptyState icon={<IconCircleCheck size={26} />} title="All of them are settled">
          <p>Every version is in the history.</p>
          <Button variant="default" mt="sm" data-autofocus onClick={closeConflicts}>
            Close
          </Button>
        </EmptyState>
      ) : (
        <>
          <div className={styles.head}>
            <h3 className={styles.title} dir="auto">
              {conflict.task && <span className={styles.id}>{conflict.task}</span>}
              {conflict.title}
            </h3>
            <span className={styles.count} role="status">
              {index + 1} of {list.length} · found {when(conflict.at_ms)}
            </span>
            {list.length > 1 && (
              <span className={styles.steps}>
                <IconButton label="Conflict before" keys="k" onClick={() => go(-1)}>
                  <IconChevronLeft size={17} />
                </IconButton>
                <IconButton label="Next conflict" keys="j" onClick={() => go(1)}>
                  <IconChevronRight size={17} />
                </IconButton>
              </span>
            )}
          </div>
          <p className={styles.hint}>
            The same lines were changed here and by another program. The file holds theirs; yours
            are kept here until you choose.
          </p>
          {late === conflict.id && (
            <p className={styles.late} role="alert">
              The lines were changed once more meanwhile, so nothing was written. Look again, then
              choose.
            </p>
          )}
          <Sides conflict={conflict} />
          {!outline.is_writable && (
            <p className={styles.hint}>
              This plan cannot be written here: only what the file holds can be kept.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}

const none: PlanConflict[] = [];

/** The conflict that was chosen; where it is settled, the one that took its place. */
function indexOf(list: PlanConflict[], chosen: { id: number; index: number } | null): number {
  const at = list.findIndex((one) => one.id === chosen?.id);
  return at >= 0 ? at : Math.max(0, Math.min(chosen?.index ?? 0, list.length - 1));
}

interface ChoiceProps {
  keys: string;
  isOff: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Choice({ keys, isOff, onClick, children }: ChoiceProps) {
  return (
    <Button
      variant="default"
      disabled={isOff}
      rightSection={<Kbd keys={keys} small hidden />}
      onClick={(event) => {
        // The tail of a double click belongs to the conflict before.
        if (event.detail < 2) onClick();
      }}
    >
      {children}
    </Button>
  );
}

function Sides({ conflict }: { conflict: PlanConflict }) {
  const { base, mine, theirs } = conflict;
  const sides = useMemo(
    () => [
      { name: "Before both", words: base ? [{ kind: "same", text: base }] : [] },
      { name: "Mine", words: wordsBetween(base, mine), isEmpty: mine === "" },
      {
        name: "Theirs, in the file now",
        words: wordsBetween(base, theirs),
        isEmpty: theirs === "",
      },
    ],
    [base, mine, theirs],
  );
  return (
    <div className={styles.sides}>
      {sides.map(({ name, words, isEmpty }) => (
        <section key={name} className={styles.side} aria-label={name}>
          <h4 className={styles.name}>{name}</h4>
          <div className={styles.lines} tabIndex={0} role="group" aria-label={`Lines: ${name}`}>
            {isEmpty && <p className={styles.nothing}>The lines are gone.</p>}
            {words.length > 0 ? (
              <WordRuns words={words} />
            ) : (
              !isEmpty && <p className={styles.nothing}>There was nothing here.</p>
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Keys of the dialog alone: `j` and `k` go on and back, `m`, `t` and `b` keep. */
function useConflictKeys(
  id: number | null,
  hasMore: boolean,
  go: (by: number) => void,
  keep: (choice: ConflictChoice) => void,
): void {
  const now = useRef({ hasMore, go, keep });
  now.current = { hasMore, go, keep };
  const hearsFrom = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conflict has come up
  useLayoutEffect(() => {
    hearsFrom.current = performance.now() + deafMs;
  }, [id]);

  useActions(
    useMemo<Action[]>(() => {
      const keeping = (choice: ConflictChoice, title: string, keys: string): Action => ({
        id: `conflicts.${choice}`,
        title,
        group: "Edit",
        keys,
        inDialogs: true,
        run: () => {
          if (performance.now() >= hearsFrom.current) now.current.keep(choice);
        },
      });
      return [
        {
          id: "conflicts.next",
          title: "Next conflict",
          group: "Go to",
          keys: "j",
          inDialogs: true,
          when: () => now.current.hasMore,
          run: () => now.current.go(1),
        },
        {
          id: "conflicts.previous",
          title: "Conflict before",
          group: "Go to",
          keys: "k",
          inDialogs: true,
          when: () => now.current.hasMore,
          run: () => now.current.go(-1),
        },
        keeping("mine", "Keep mine", "m"),
        keeping("theirs", "Keep theirs", "t"),
        keeping("both", "Keep both", "b"),
      ];
    }, []),
  );
}
