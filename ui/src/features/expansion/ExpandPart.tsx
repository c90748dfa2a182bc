/** Expanding the open plan: the verb in the bar and the dialog it opens. */
import { IconArrowsDiagonal } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useGone, useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import { useVerbs, type Verb } from "../bar/verbs";
import { closeExpansion, expandKeys, expansionOpen, isWeak, openExpansion } from "./open";

const ExpansionDialog = lazy(() => import("./ExpansionDialog"));

export default function ExpandPart() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const isOpen = useStore(expansionOpen);
  const gone = useGone(plan);
  const isRead = outline !== undefined;
  const isWritable = outline?.is_writable ?? false;
  // For a thin plan, the verb is beside the primary one; otherwise in the menu.
  const isUrgent = isRead && isWeak(outline.badge);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the plan changes
  useEffect(() => closeExpansion, [plan]);

  useVerbs(
    useMemo<Verb[]>(
      () =>
        isRead
          ? [
              {
                id: "plan.expand",
                title: words.expansion.verb,
                consequence: words.expansion.consequence,
                keys: expandKeys,
                rank: isUrgent ? "beside" : 36,
                icon: IconArrowsDiagonal,
                disabled: gone ?? (isWritable ? undefined : words.expansion.readOnly),
                run: openExpansion,
              },
            ]
          : [],
      [isRead, isUrgent, isWritable, gone],
    ),
  );

  if (!isOpen || !outline) return null;
  return (
    <Suspense fallback={null}>
      <ExpansionDialog key={outline.plan} outline={outline} />
    </Suspense>
  );
}
