/** The plan as an outline: head, rows, and everything that is done to a row. The tab's body; knows which plan is open. */
import { useOutline } from "../../api/queries";
import { usePlace } from "../../app/place";
import { Loading } from "../../components/States";
import { PlanOutline } from "./PlanOutline";

export default function OutlineTab() {
  const { plan } = usePlace();
  const outline = useOutline(plan);
  if (!plan || !outline.data) return <Loading lines={8} label="Loading the plan" />;
  return <PlanOutline key={plan} outline={outline.data} />;
}
