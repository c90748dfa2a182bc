/** The verb that copies the plan's file to the clipboard, for a message or another tool. */
import { IconMarkdown } from "@tabler/icons-react";
import { useMemo } from "react";
import { useGone, useOutline } from "../../api/queries";
import { readSource } from "../../api/sourceText";
import { usePlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { useVerbs, type Verb } from "../bar/verbs";
import { copyText } from "../run/clipboard";

const text = words.source.copy;

export function useCopyPlan(): void {
  const { plan } = usePlace();
  const revision = useOutline(plan).data?.revision ?? null;
  const gone = useGone(plan) ?? undefined;
  useVerbs(
    useMemo<Verb[]>(() => {
      if (!plan || !revision) return [];
      return [
        {
          id: "plan.copy",
          title: text.verb,
          consequence: text.consequence,
          keys: "y m",
          rank: 2,
          icon: IconMarkdown,
          disabled: gone,
          run: () =>
            copyText(
              readSource(plan, revision).then((source) => source.text),
              text.copied,
            ).catch((error: Error) =>
              showToast({ tone: "bad", title: text.failed, message: error.message }),
            ),
        },
      ];
    }, [plan, revision, gone]),
  );
}
