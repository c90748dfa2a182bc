/** The count beside the title of the Talk tab: 1 while the model waits for an answer. */
import { useTalkOf } from "../../api/talk";
import { usePlace } from "../../app/place";
import { words } from "../../words";

export function useTalkCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const talk = useTalkOf(plan).data;
  return talk?.state === "waiting" ? { value: 1, label: words.talk.panel.waiting } : null;
}
