/** The number beside the tab's title. Known with the outline, so that the tab need not be open. */
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";

export function useFindingCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const value = useOutline(plan).data?.badge.findings ?? 0;
  return value > 0 ? { value, label: `${value} ${value === 1 ? "finding" : "findings"}` } : null;
}
