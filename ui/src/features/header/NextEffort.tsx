/** The effort of the next plan, in the header of a workspace: the same choice as in the goal box. What each would take is worked out for the goal that waits there, and only while the menu is open. */
import { useModels } from "../../api/models";
import { useDrafts } from "../../api/queries";
import { useEffortForecasts } from "../../api/routes";
import { EffortChoices, EffortMenu } from "../routes/EffortMenu";
import styles from "./Header.module.css";

export function NextEffort({ workspace }: { workspace: string }) {
  return (
    <EffortMenu isApart className={styles.effort}>
      <Choices workspace={workspace} />
    </EffortMenu>
  );
}

function Choices({ workspace }: { workspace: string }) {
  const goal = useDrafts(workspace).data?.find((draft) => draft.key === "goal")?.text ?? "";
  const model = useModels().data?.in_force?.model ?? null;
  const forecasts = useEffortForecasts(workspace, model, goal);
  return (
    <EffortChoices
      forecasts={forecasts.data}
      error={forecasts.error}
      withoutGoal="The effort of the next plan that is made."
    />
  );
}
