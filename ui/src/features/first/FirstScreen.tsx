/** The first screen: a box for a goal, the requirements read from it, the models found on this machine, the sample, and the folders opened before. */

import { Button } from "@mantine/core";
import { usePlans, useStart, useWorkspace } from "../../api/queries";
import { usePlace } from "../../app/place";
import { ErrorState } from "../../components/States";
import { OpenTalks } from "../talk/OpenTalks";
import styles from "./FirstScreen.module.css";
import { GoalBox } from "./GoalBox";
import { ModelsFound } from "./ModelsFound";
import { Recent } from "./Recent";
import { useOpening } from "./useOpening";

export default function FirstScreen() {
  const place = usePlace();
  const workspace = useWorkspace(place.workspace);
  const start = useStart().data;
  const plans = usePlans(place.workspace).data?.plans;
  const { chooseFolder, openSample, isOpeningSample } = useOpening();

  if (place.workspace && workspace.isError) {
    return (
      <ErrorState
        title="The folder cannot be opened"
        error={workspace.error}
        onRetry={() => void workspace.refetch()}
      >
        <Button onClick={chooseFolder}>Open another folder</Button>
      </ErrorState>
    );
  }

  return (
    <div className={styles.first}>
      <h1 className={styles.title}>What should be done?</h1>
      <p className={styles.lead}>
        You get a plan file to read, change and approve. Nothing else is touched before that.
      </p>
      <GoalBox workspace={workspace.data ?? null} />
      <div className={styles.cards}>
        <ModelsFound />
        <section className={styles.card} aria-label="No model needed">
          <h2 className={styles.heading}>No model needed</h2>
          <p>
            Templates plan the usual jobs, commands run themselves, the rest is yours or goes to
            your own agent.
          </p>
          <button
            type="button"
            className={styles.link}
            onClick={openSample}
            aria-disabled={isOpeningSample}
          >
            {isOpeningSample ? "Opening the sample…" : "Try it on the sample program"}
          </button>
        </section>
      </div>
      <OpenTalks workspace={place.workspace} />
      <Recent folders={start?.recent ?? []} current={place.workspace} plans={plans?.length ?? 0} />
    </div>
  );
}
