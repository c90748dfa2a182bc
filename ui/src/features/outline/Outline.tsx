/** The outline tab: shows the open plan as an outline. */
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Loading } from "../../components/States";
import { words } from "../../words";
import { PlanOutline } from "./PlanOutline";

export default function OutlineTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!plan || !outline.data) return <Loading lines={8} label={words.outline.loadingPlan} />;
  return <PlanOutline key={plan} outline={outline.data} />;
}
