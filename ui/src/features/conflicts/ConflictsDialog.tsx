/** Shows conflicts one at a time: the original lines, both versions side by side, and buttons to keep either. Nothing is chosen automatically. */
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
import { when } from "../../lib/time";
import { words } from "../../words";
import { WordRuns } from "../history/WordRuns";
import styles from "./Conflicts.module.css";
import { closeConflicts } from "./conflicts";
import { useResolve } from "./useResolve";
import { wordsBetween } from "./wordDiff";

const { dialog: texts, sides: sideTexts } = words.conflicts;

/** How long a new conflict ignores keys, in milliseconds: a key meant for the previous one must not resolve it. */
const deafMs = 400;

export default function ConflictsDialog({ outline }: { outline: Outline }) {
  const { plan } = outline;
  const conflicts = useConflicts(plan);
  const { resolve, isBusy, changedAgain } = useResolve(plan);
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
    // Selects the next conflict, which takes its place.
    setChosen({ id: conflict.id, index });
    resolve(conflict, choice);
  };
  useConflictKeys(conflict, list.length > 1, go, keep);

  return (
    <Dialog
      onClose={closeConflicts}
      title={texts.title}
      size={1080}
      actions={
        conflict &&
        !conflicts.isError && (
          <>
            <Choice keys="m" isOff={isBusy || !outline.is_writable} onClick={() => keep("mine")}>
              {texts.keepMine[conflict.mine_by]}
            </Choice>
            <Choice keys="t" isOff={isBusy} onClick={() => keep("theirs")}>
              {texts.keepTheirs}
            </Choice>
            <Choice keys="b" isOff={isBusy || !outline.is_writable} onClick={() => keep("both")}>
              {texts.keepBoth}
            </Choice>
          </>
        )
      }
    >
      {conflicts.isError ? (
        <ErrorState
          title={texts.failed}
          error={conflicts.error}
          onRetry={() => void conflicts.refetch()}
        />
      ) : conflicts.data === undefined ? (
        <Loading lines={5} label={texts.loading} />
      ) : conflict === undefined ? (
        <EmptyState icon={<IconCircleCheck size={26} />} title={texts.emptyTitle}>
          <p>{texts.empty}</p>
          <Button variant="default" mt="sm" data-autofocus onClick={closeConflicts}>
            {texts.close}
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
              {texts.position(index + 1, list.length, when(conflict.at_ms))}
            </span>
            {list.length > 1 && (
              <span className={styles.steps}>
                <IconButton label={texts.previous} keys="k" onClick={() => go(-1)}>
                  <IconChevronLeft size={17} />
                </IconButton>
                <IconButton label={texts.next} keys="j" onClick={() => go(1)}>
                  <IconChevronRight size={17} />
                </IconButton>
              </span>
            )}
          </div>
          <p className={styles.hint}>{texts.explanation[conflict.mine_by]}</p>
          {changedAgain === conflict.id && (
            <p className={styles.changedAgain} role="alert">
              {texts.changedAgain}
            </p>
          )}
          <Sides conflict={conflict} />
          {!outline.is_writable && <p className={styles.hint}>{texts.readOnly}</p>}
        </>
      )}
    </Dialog>
  );
}

const none: PlanConflict[] = [];

/** Index of the selected conflict or, once it is resolved, of the one that took its place. */
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
        // The second click of a double click was meant for the previous conflict.
        if (event.detail < 2) onClick();
      }}
    >
      {children}
    </Button>
  );
}

function Sides({ conflict }: { conflict: PlanConflict }) {
  const { base, mine, mine_by: by, theirs } = conflict;
  const sides = useMemo(
    () => [
      { name: sideTexts.base, runs: base ? [{ kind: "same", text: base }] : [] },
      { name: sideTexts.mine[by], runs: wordsBetween(base, mine), isEmpty: mine === "" },
      {
        name: sideTexts.theirs,
        runs: wordsBetween(base, theirs),
        isEmpty: theirs === "",
      },
    ],
    [base, mine, by, theirs],
  );
  return (
    <div className={styles.sides}>
      {sides.map(({ name, runs, isEmpty }) => (
        <section key={name} className="pw-card pw-column pw-slim pw-clip" aria-label={name}>
          <h4 className={styles.name}>{name}</h4>
          <div
            className={styles.lines}
            tabIndex={0}
            role="group"
            aria-label={sideTexts.lines(name)}
          >
            {isEmpty && <p className="pw-hint">{sideTexts.deleted}</p>}
            {runs.length > 0 ? (
              <WordRuns words={runs} />
            ) : (
              !isEmpty && <p className="pw-hint">{sideTexts.none}</p>
            )}
          </div>
        </section>
      ))}
    </div>
  );
}

/** Keys of the dialog: `j` and `k` move between conflicts; `m`, `t` and `b` keep a side. */
function useConflictKeys(
  conflict: PlanConflict | undefined,
  hasMore: boolean,
  go: (by: number) => void,
  keep: (choice: ConflictChoice) => void,
): void {
  const now = useRef({ hasMore, go, keep });
  now.current = { hasMore, go, keep };
  const activeFrom = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another conflict is shown
  useLayoutEffect(() => {
    activeFrom.current = performance.now() + deafMs;
  }, [conflict?.id]);

  const by = conflict?.mine_by ?? "person";
  useActions(
    useMemo<Action[]>(() => {
      const keepAction = (choice: ConflictChoice, title: string, keys: string): Action => ({
        id: `conflicts.${choice}`,
        title,
        group: "edit",
        keys,
        inDialogs: true,
        run: () => {
          if (performance.now() >= activeFrom.current) now.current.keep(choice);
        },
      });
      return [
        {
          id: "conflicts.next",
          title: texts.next,
          group: "go",
          keys: "j",
          inDialogs: true,
          when: () => now.current.hasMore,
          run: () => now.current.go(1),
        },
        {
          id: "conflicts.previous",
          title: texts.previous,
          group: "go",
          keys: "k",
          inDialogs: true,
          when: () => now.current.hasMore,
          run: () => now.current.go(-1),
        },
        keepAction("mine", texts.keepMine[by], "m"),
        keepAction("theirs", texts.keepTheirs, "t"),
        keepAction("both", texts.keepBoth, "b"),
      ];
    }, [by]),
  );
}
