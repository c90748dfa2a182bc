/** A banner above the plan that reports conflicts and opens them. Renders nothing without conflicts. */
import { Button } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import type { Outline } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import { keyWords } from "../../lib/keyText";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import styles from "./Conflicts.module.css";
import { closeConflicts, conflictsOpen, openConflicts } from "./conflicts";

const ConflictsDialog = lazy(() => import("./ConflictsDialog"));

const { banner } = words.conflicts;
const keys = "v c";

export function ConflictBanner({ outline }: { outline: Outline }) {
  const { conflicts, own_conflicts: own, plan } = outline;
  const isOpen = useStore(conflictsOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan has other conflicts
  useEffect(() => closeConflicts, [plan]);

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "conflicts.show",
          title: banner.show,
          group: "plan",
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
        <section className={styles.banner} aria-label={banner.label}>
          <IconArrowsSplit2 size={17} aria-hidden className="pw-rigid" />
          <p className={styles.words} role="status">
            <strong>{banner.title(conflicts, own)}</strong> {banner.kept}
          </p>
          <Button
            size="compact-sm"
            variant="default"
            title={banner.showTooltip(keyWords(keys))}
            onClick={openConflicts}
          >
            {banner.resolve}
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
