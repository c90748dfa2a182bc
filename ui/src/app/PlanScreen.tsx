/** The parts of the window for an open plan, as one chunk: center, right panel, bar. The first screen starts without it and loads it in the background. */
import { Bar } from "../features/bar/Bar";
import { Panel, usePanelKeys } from "./Panel";
import { PlanCentre } from "./PlanCentre";
import { planParts } from "./screens";

export const Centre = PlanCentre;
export const RightPanel = Panel;

/** The bar, and the plan parts, which add verbs to it and have no region of their own. */
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
