/** The selected step as a self-contained brief, into the clipboard: for a person or another agent. */
import { useCallback } from "react";
import { askBrief } from "../../api/brief";
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { copyText } from "./clipboard";

export function useCopyBrief(): () => void {
  const { plan, task } = usePlace();
  const revision = useOutline(plan).data?.revision;
  return useCallback(() => {
    if (!plan || !revision || !task) return;
    copyText(askBrief(plan, revision, task), `Brief of ${task} copied`).catch((error: Error) =>
      showToast({ tone: "bad", title: "There is no brief", message: error.message }),
    );
  }, [plan, revision, task]);
}
