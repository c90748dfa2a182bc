/** What a window shows only while a plan is open, as one chunk: the centre, the right panel, the bar. A window that begins on the first screen is there sooner without it, and loads it behind its back. */
import { Bar } from "../features/bar/Bar";
import { Panel, usePanelKeys } from "./Panel";
import { PlanCentre } from "./PlanCentre";
import { planParts } from "./screens";

export const Centre = PlanCentre;
export const RightPanel = Panel;

/** What works beside the open plan without a region of its own, and the bar that shows its verbs. */
export function Foot() {
  usePanelKeys();
  return (
    <>
      {planParts.map(({ id, Part }) => (
        <Part key={id} />
      ))}
      <Bar />
    </>
  );
}
