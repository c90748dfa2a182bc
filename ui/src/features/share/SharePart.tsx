/** Actions that open the plan in the user's editor, copy a link to it, or export it as a web page. Renders nothing. */
import { IconFileExport, IconLink } from "@tabler/icons-react";
import { useMemo } from "react";
import { useExportHtml } from "../../api/mutations";
import { useGone, useOutline } from "../../api/queries";
import { type Action, useActions } from "../../app/keys";
import { getPlace, usePlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { useVerbs, type Verb } from "../bar/verbs";
import { copyLink } from "./planLink";
import { useOpenPlan } from "./useOpenPlan";

const text = words.share;

export default function SharePart() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const openPlan = useOpenPlan(outline);
  const gone = useGone(plan) ?? undefined;
  const { mutate: exportHtml } = useExportHtml();
  const revision = outline?.revision ?? null;
  const openAtStep = openPlan?.atStep;

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "plan.editor",
          title: text.openInEditor,
          group: "go",
          keys: "g e",
          when: () => openAtStep !== undefined && gone === undefined,
          run: () => openAtStep?.(),
        },
        {
          id: "step.link",
          title: text.copyStepLink,
          group: "step",
          keys: "y s",
          when: () => plan !== null && getPlace().task !== null,
          run: () => {
            const { task } = getPlace();
            if (plan && task) copyLink(plan, task);
          },
        },
      ],
      [plan, openAtStep, gone],
    ),
  );

  useVerbs(
    useMemo<Verb[]>(() => {
      if (!plan || !revision) return [];
      return [
        {
          id: "plan.link",
          title: text.copyLink,
          consequence: text.linkConsequence,
          keys: "y l",
          rank: 1.5,
          icon: IconLink,
          run: () => copyLink(plan),
        },
        {
          id: "plan.html",
          title: text.exportHtml,
          consequence: text.exportConsequence,
          keys: "p x",
          rank: 1,
          icon: IconFileExport,
          disabled: gone,
          run: () =>
            exportHtml(
              { plan, revision },
              {
                onSuccess: (path) => {
                  if (path) showToast({ tone: "good", title: text.exported, message: path });
                },
              },
            ),
        },
      ];
    }, [plan, revision, gone, exportHtml]),
  );
  return null;
}
