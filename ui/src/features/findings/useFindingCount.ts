/** The number of findings beside the tab's title. It comes with the outline, so it is known before the tab is opened. */
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { words } from "../../words";

export function useFindingCount(): { value: number; label: string } | null {
  const { plan } = usePlace();
  const value = useOutline(plan).data?.badge.findings ?? 0;
  return value > 0 ? { value, label: words.findings.count(value) } : null;
}
