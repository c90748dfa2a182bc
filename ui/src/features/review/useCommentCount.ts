/** The number of unsent, unresolved comments on the open plan. */
import { useComments } from "../../api/queries";
import { usePlace } from "../../app/place";
import { words } from "../../words";

export function useCommentCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const comments = useComments(plan).data;
  if (!comments) return null;
  const value = comments.filter((one) => !one.is_sent && !one.is_resolved).length;
  return { value, label: words.review.unsent(value) };
}
