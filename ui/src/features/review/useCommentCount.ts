/** How many comments of the open plan are neither sent nor settled. */
import { useComments } from "../../api/queries";
import { usePlace } from "../../app/place";

export function useCommentCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const comments = useComments(plan).data;
  if (!comments) return null;
  const value = comments.filter((one) => !one.is_sent && !one.is_resolved).length;
  return { value, label: value === 1 ? "1 comment not sent" : `${value} comments not sent` };
}
