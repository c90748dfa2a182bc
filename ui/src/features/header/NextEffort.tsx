/** The effort menu in the header: the same choice as in the goal box. While the menu is open, it shows estimates for the goal typed in the goal box. */
import { useModels } from "../../api/models";
import { useDrafts } from "../../api/queries";
import { useEffortForecasts } from "../../api/routes";
import { words } from "../../words";
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
      withoutGoal={words.header.effortHint}
    />
  );
}
