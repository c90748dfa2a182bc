/** How many things wait for a person in the run that is looked at: the number beside the Run tab. */
import { useShownRun } from "./shown";
import { count } from "./words";

export function useWaitingCount(): { value: number; label: string } | null {
  const waiting = useShownRun().view?.questions.length ?? 0;
  if (waiting === 0) return null;
  return { value: waiting, label: `${count(waiting, "thing")} to answer` };
}
