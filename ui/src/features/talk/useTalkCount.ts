/** Whether the model waits for an answer, as the number beside the tab. */
import { useTalkOf } from "../../api/talk";
import { usePlace } from "../../app/place";

export function useTalkCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const talk = useTalkOf(plan).data;
  return talk?.state === "waiting" ? { value: 1, label: "the model waits for your answer" } : null;
}
