/** The number of open questions of the shown run, displayed on the Run tab. */
import { words } from "../../words";
import { useShownRun } from "./shown";

export function useWaitingCount(): { value: number; label: string } | null {
  const waiting = useShownRun().view?.questions.length ?? 0;
  if (waiting === 0) return null;
  return { value: waiting, label: words.run.panel.waitingCount(waiting) };
}
