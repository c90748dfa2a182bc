/** Says over the plan that changes stand against each other, and opens them. Draws nothing while there are none. */
import { Button } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { keyWords } from "../../lib/keyText";
import { useStore } from "../../lib/store";
import styles from "./Conflicts.module.css";
import { closeConflicts, conflictsOpen, openConflicts } from "./conflicts";

const ConflictsDialog = lazy(() => import("./ConflictsDialog"));

const keys = "v c";

export function ConflictBanner({ outline }: { outline: Outline }) {
  const { conflicts, plan } = outline;
  const isOpen = useStore(conflictsOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan, other conflicts
  useEffect(() => closeConflicts, [plan]);

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "conflicts.show",
          title: "Show changes that stand against each other…",
          group: "Plan",
          keys,
          when: () => conflicts > 0,
          run: openConflicts,
        },
      ],
      [conflicts],
    ),
  );

  return (
    <>
      {conflicts > 0 && (
        <section className={styles.banner} aria-label="Conflicts">
          <IconArrowsSplit2 size={17} aria-hidden className={styles.sign} />
          <p className={styles.words} role="status">
            <strong>{conflictWords(conflicts)}</strong> Both are kept until you choose.
          </p>
          <Button
            size="compact-sm"
            variant="default"
            title={`Show them (${keyWords(keys)})`}
            onClick={openConflicts}
          >
            Look at {conflicts === 1 ? "it" : "them"}…
          </Button>
        </section>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <ConflictsDialog outline={outline} />
        </Suspense>
      )}
    </>
  );
}

function conflictWords(conflicts: number): string {
  return conflicts === 1
    ? "A change of yours stands against another program’s."
    : `${conflicts} changes of yours stand against another program’s.`;
}
