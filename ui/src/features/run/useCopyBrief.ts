/** Copies a self-contained brief of the selected step to the clipboard, for a person or another agent. */
import { useCallback } from "react";
import { askBrief } from "../../api/brief";
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { copyText } from "./clipboard";

export function useCopyBrief(): () => void {
  const { plan, task } = usePlace();
  const revision = useOutline(plan).data?.revision;
  return useCallback(() => {
    if (!plan || !revision || !task) return;
    copyText(askBrief(plan, revision, task), words.run.brief.copied(task)).catch((error: Error) =>
      showToast({ tone: "bad", title: words.run.brief.errorTitle, message: error.message }),
    );
  }, [plan, revision, task]);
}
